export const metadata = { title: 'tflite-webnn with Next.js' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
