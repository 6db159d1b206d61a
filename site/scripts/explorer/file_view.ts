/** The explorer's view of the file's metadata: descriptions, inputs and outputs, labels, packed files. */

import type { FileDescription, MetadataDescription, PackedFile } from 'tflite-webnn/explain';
import type { Labels, TensorMetadata } from 'tflite-webnn/metadata';
import { create } from '../common/dom.js';
import { formatBytes, formatCount } from '../common/format.js';
import { type Column, MAX_ROWS, table } from '../common/table.js';

/** The metadata of a model, or why it cannot be read. */
export type FileContent = Pick<FileDescription, 'metadata'> | { readonly problem: string };

/** Languages of the labels of a tensor. */
const MAX_LISTS = 20;

interface Row {
  readonly title: string;
  readonly tensor: TensorMetadata;
}

/** The panel's content. */
export function fileContent(content: FileContent): HTMLElement[] {
  if ('problem' in content) return [create('p', { class: 'notice', text: content.problem })];
  const { metadata } = content;
  if (metadata === null) return [create('p', { text: 'The file has no metadata.' })];
  const rows = [
    ...metadata.inputs.map((tensor, index) => ({ title: `input ${index}`, tensor })),
    ...metadata.outputs.map((tensor, index) => ({ title: `output ${index}`, tensor })),
  ];
  return [
    create('dl', { class: 'figures' }, ...aboutRows(metadata)),
    ...(metadata.description === null ? [] : [create('p', { class: 'prose', text: metadata.description })]),
    ...(rows.length === 0 ? [] : [tensorTable(rows)]),
    ...rows.flatMap(({ tensor }) => tensor.labels.slice(0, MAX_LISTS).map(labelList)),
    ...(metadata.files.length === 0 ? [] : [fileTable(metadata.files)]),
  ];
}

function aboutRows({ name, version, author, license, ultralytics }: MetadataDescription): HTMLElement[] {
  const info = {
    Name: name,
    Version: version,
    Author: author,
    License: license,
    Ultralytics: ultralytics?.task ?? null,
  };
  return Object.entries(info).flatMap(([term, text]) =>
    text === null ? [] : [create('div', {}, create('dt', { text: term }), create('dd', { text }))],
  );
}

function tensorTable(rows: readonly Row[]): HTMLElement {
  const columns: Column<Row>[] = [
    { title: 'Tensor', cell: ({ title }) => title, heading: true },
    { title: 'Name', cell: ({ tensor }) => tensor.name ?? '' },
    {
      title: 'Description',
      cell: ({ tensor }) => create('span', { class: 'outcome', text: tensor.description ?? '' }),
    },
    { title: 'Processing', cell: ({ tensor }) => processingText(tensor) },
  ];
  return table('Inputs and outputs', columns, rows);
}

/** How values of a tensor are computed or used: `(value - 127.5) / 127.5`. */
export function processingText(tensor: Pick<TensorMetadata, 'normalization' | 'scoreThreshold' | 'tokenizer'>): string {
  const { normalization, scoreThreshold, tokenizer } = tensor;
  return [
    ...(normalization === null ? [] : [`(value - ${normalization.mean.join(', ')}) / ${normalization.std.join(', ')}`]),
    ...(scoreThreshold === null ? [] : [`scores from ${scoreThreshold} on`]),
    ...(tokenizer === null ? [] : [`tokenizer ${tokenizer.kind}`]),
  ].join('; ');
}

function labelList({ file, locale, names }: Labels): HTMLElement {
  const title = `${formatCount(names.length)} labels, ${file}${locale === null ? '' : ` (${locale})`}`;
  const items = names.slice(0, MAX_ROWS).map((text) => create('li', { text }));
  const left = names.length - items.length;
  return create(
    'details',
    {},
    create('summary', { text: title }),
    create('ol', { start: 0 }, ...items),
    ...(left > 0 ? [create('p', { text: `${formatCount(left)} more are left out.` })] : []),
  );
}

function fileTable(files: readonly PackedFile[]): HTMLElement {
  const columns: Column<PackedFile>[] = [
    { title: 'File', cell: ({ name }) => name, heading: true },
    { title: 'Size', cell: ({ sizeBytes }) => formatBytes(sizeBytes), numeric: true },
  ];
  return table('Packed files', columns, files);
}
