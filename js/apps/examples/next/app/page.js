import { Scores } from './scores';

export default function Page() {
  return <Scores />;
}
