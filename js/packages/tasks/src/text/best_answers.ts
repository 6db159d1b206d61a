/** From the outputs of a model that answers questions to places in its text. */

import { checkArguments } from 'tflite-webnn';
import { NUMBERS } from 'tflite-webnn/argument_kinds';

/** From which place in the inputs to which an answer goes. */
export interface AnswerSpan {
  /** Place of the first piece. */
  readonly start: number;
  /** Place of the last piece. */
  readonly end: number;
  /** Sum of both logits, as float32. */
  readonly logit: number;
}

const CANDIDATES = 5;
const MAX_PIECES = 32;

/**
 * The best answers, best first, at most five: of the five best starts and ends those that are in the text and have at
 * most 32 pieces, as TFLite's task library chooses them.
 *
 * @param startLogits - For each place in the inputs.
 * @param endLogits - For each place in the inputs.
 * @param wordOf - Of bertQuestionInputs().
 * @throws OptionError
 */
export function bestAnswers(
  startLogits: ArrayLike<number>,
  endLogits: ArrayLike<number>,
  wordOf: ArrayLike<number>,
): AnswerSpan[] {
  const kinds = { startLogits: NUMBERS, endLogits: NUMBERS, wordOf: NUMBERS };
  checkArguments('bestAnswers', { startLogits, endLogits, wordOf }, kinds);
  const isInText = (place: number) => (wordOf[place] ?? -1) >= 0;
  const ends = best(endLogits).filter(isInText);
  const spans = best(startLogits)
    .filter(isInText)
    .flatMap((start) => ends.map((end) => ({ start, end })))
    .filter(({ start, end }) => end >= start && end - start < MAX_PIECES)
    .map(({ start, end }) => {
      return { start, end, logit: Math.fround((startLogits[start] as number) + (endLogits[end] as number)) };
    });
  return spans.sort((a, b) => b.logit - a.logit).slice(0, CANDIDATES);
}

function best(logits: ArrayLike<number>): number[] {
  const places = Array.from(logits, (_, place) => place);
  return places.sort((a, b) => (logits[b] as number) - (logits[a] as number)).slice(0, CANDIDATES);
}
