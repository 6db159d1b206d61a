/** A file's description as text. */

import type { Labels, TensorMetadata } from '../metadata/model_metadata.js';
import { printable } from '../support/printable.js';
import type { FileDescription, MetadataDescription } from './describe_file.js';

const SHOWN_LABELS = 5;

/**
 * Formats a description for a console. Empty for a model without metadata.
 *
 * @group explain.mjs
 * @param file - From describeFile().
 */
export function renderMetadata(file: FileDescription): string {
  return lines(file)
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function lines({ name, sizeBytes, metadata, parts }: FileDescription, indent = ''): string[] {
  const title = name === '' ? [] : [`${indent}${name}, ${bytes(sizeBytes)}`];
  const inner = name === '' ? indent : `${indent}  `;
  const own = metadata === null ? [] : metadataLines(metadata).map((line) => `${inner}${line}`);
  return [...title, ...own, ...(parts ?? []).flatMap((part) => lines(part, inner))];
}

function metadataLines(metadata: MetadataDescription): string[] {
  const { version, author, license, ultralytics, detector, segmenter, custom, files } = metadata;
  return [
    ...row('name', [metadata.name, version].filter((text) => text !== null).join(', ')),
    ...row('description', metadata.description),
    ...row('author', author),
    ...row('license', license),
    ...metadata.inputs.flatMap((tensor, index) => tensorLines(`input ${index}`, tensor)),
    ...metadata.outputs.flatMap((tensor, index) => tensorLines(`output ${index}`, tensor)),
    ...row('detector', detector && `${detector.anchors.length} anchors (MediaPipe)`),
    ...row('segmenter', segmenter && `activation ${segmenter.activation} (MediaPipe)`),
    ...row('Ultralytics', ultralytics && `${ultralytics.task ?? 'no task'}, ${namesText(ultralytics.names)}`),
    ...custom.flatMap(({ name, sizeBytes }) => row('custom', `${name ?? 'no name'}, ${bytes(sizeBytes)}`)),
    ...files.flatMap(({ name, sizeBytes }) => row('file', `${name}, ${bytes(sizeBytes)}`)),
  ];
}

function tensorLines(title: string, tensor: TensorMetadata): string[] {
  const { normalization, labels, scoreThreshold, scoreCalibration, tokenizer, content, description } = tensor;
  return [
    ...row(title, [tensor.name, content && contentText(content)].filter(Boolean).join(', ')),
    ...row('', description),
    ...row(
      '',
      normalization && `normalized by (value - ${channels(normalization.mean)}) / ${channels(normalization.std)}`,
    ),
    ...labels.flatMap((one) => row('', labelsText(one))),
    ...row('', scoreThreshold === null ? null : `scores from ${scoreThreshold} on`),
    ...row('', scoreCalibration && `scores calibrated, ${scoreCalibration.scoreTransformation}`),
    ...row(
      '',
      tokenizer && `tokenizer ${tokenizer.kind}: ${[...tokenizer.models, ...tokenizer.vocabularies].join(', ')}`,
    ),
  ];
}

function contentText(content: NonNullable<TensorMetadata['content']>): string {
  if (content.kind === 'ImageProperties') {
    const { colorSpace, defaultSize } = content;
    return `${colorSpace} image${defaultSize === null ? '' : ` of ${defaultSize.width} x ${defaultSize.height}`}`;
  }
  if (content.kind === 'BoundingBoxProperties') return `boxes, ${content.type}, ${content.coordinateType}`;
  return content.kind === 'AudioProperties'
    ? `sound, ${content.sampleRate} Hz, ${content.channels} channels`
    : 'features';
}

function labelsText({ file, locale, of, names }: Labels): string {
  return `labels of ${of === 'axis' ? 'an axis' : 'values'}, ${file}${locale === null ? '' : ` (${locale})`}: ${namesText(names)}`;
}

function namesText(names: readonly string[]): string {
  return `${names.length} names, ${names.slice(0, SHOWN_LABELS).join(', ')}${names.length > SHOWN_LABELS ? ', ...' : ''}`;
}

function channels(values: readonly number[]): string {
  return values.length === 1 ? String(values[0]) : `[${values.join(', ')}]`;
}

function bytes(sizeBytes: number): string {
  return `${sizeBytes.toLocaleString('en')} bytes`;
}

function row(title: string, text: string | null): string[] {
  return text === null || text === '' ? [] : [`${title.padEnd(13)}${text}`];
}
