/** The three inputs of BERT and of its relatives, in the model's order. */

/** An input. */
export type BertName = 'ids' | 'mask' | 'segmentIds';

/** The order of models whose metadata names none. */
export const BERT_ORDER: readonly BertName[] = ['ids', 'mask', 'segmentIds'];

const NAMES: Readonly<Record<string, BertName>> = { ids: 'ids', mask: 'mask', segment_ids: 'segmentIds' };

/**
 * What each input takes: by the names in metadata where it has all three.
 *
 * @param inputs - Those of the metadata.
 */
export function bertOrder(inputs: readonly { readonly name?: string | null }[]): readonly BertName[] {
  const named = inputs.map(({ name }) => NAMES[name ?? '']);
  const isNamed = named.length === BERT_ORDER.length && BERT_ORDER.every((name) => named.includes(name));
  return isNamed ? (named as BertName[]) : BERT_ORDER;
}
