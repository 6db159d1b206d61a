/** conv2d and convTranspose2d. */

import { sizesByLayout } from '../../operators/convolution.js';
import { range } from '../../operators/rule.js';
import { both, explicitPadding, inNhwc, reordered } from '../layouts.js';
import { type Call, entry, type Frame, type Source, type Step } from '../op_entry.js';
import * as tf from '../tf.js';

type Convolution = 'conv2d' | 'convTranspose2d';
type Filter = tf.Tensor4D;
/** Convolves an image in nhwc. */
type Convolve = (frame: Frame, image: tf.Tensor4D) => tf.Tensor4D;

/** One group of the channels: its part of the filter, and of the bias. */
interface Group {
  readonly filter: Source;
  readonly bias: Source | null;
}

/** Sizes by letters of the layout. */
function filterSizes(call: Call<Convolution>) {
  return sizesByLayout<'o' | 'i' | 'h' | 'w'>(call.shape('filter'), call.attributes.filterLayout);
}

/** A filter with zeros inserted: kernels do not support strides with dilations. */
function dilated(filter: Filter, dilations: readonly number[]): Filter {
  const spread = (x: tf.Tensor, before: number, size: number, dilation: number, after: number) => {
    const columns = tf.pad(tf.reshape(x, [before * size, 1, after]), [
      [0, 0],
      [0, dilation - 1],
      [0, 0],
    ]);
    const extent = (size - 1) * dilation + 1;
    return tf.slice(tf.reshape(columns, [before, size * dilation, after]), [0, 0, 0], [before, extent, after]);
  };
  const [height, width, first, second] = filter.shape;
  const [down, across] = both(dilations);
  const [tall, wide] = [(height - 1) * down + 1, (width - 1) * across + 1];
  const rows = spread(filter, 1, height, down, width * first * second);
  return tf.reshape(spread(rows, tall, width, across, first * second), [tall, wide, first, second]);
}

/** Groups of channels, with filters in an order of axes; `axis` is the filter's axis that the groups divide. */
function groupsOf(
  call: Call<Convolution>,
  order: string,
  axis: 'o' | 'i',
  prepare: (filter: Filter) => Filter,
): Group[] {
  const { groups, filterLayout } = call.attributes;
  const divided = filterSizes(call)[axis];
  if (divided % groups !== 0) throw new RangeError(`${groups} groups do not divide the ${divided} channels`);
  const channels = call.attributes.inputLayout.indexOf('c');
  const axisIndex = order.indexOf(axis);
  const part = (tensor: tf.Tensor, along: number, group: number) =>
    groups === 1 ? tensor : (tf.split(tensor, groups, along)[group] as tf.Tensor);
  const outputs = call.output().shape[channels] as number;
  return range(0, groups).map((group) => ({
    filter: call.prepared('filter', (filter) =>
      prepare(part(reordered(filter, filterLayout, order), axisIndex, group) as Filter),
    ),
    bias: call.has('bias') ? call.prepared('bias', (bias) => part(tf.reshape(bias, [outputs]), 0, group)) : null,
  }));
}

/** Convolves each group's channels with their own filter. */
function grouped(groups: readonly Group[], convolve: (group: Group) => Convolve): Convolve {
  const [first, ...others] = groups.map(convolve);
  if (others.length === 0) return first as Convolve;
  return (frame, image) => {
    const parts = tf.split(image, groups.length, 3);
    return tf.concat(
      [first as Convolve, ...others].map((run, index) => run(frame, parts[index] as tf.Tensor4D)),
      3,
    );
  };
}

function biasOf(group: Group, frame: Frame): { bias?: tf.Tensor } {
  return group.bias ? { bias: group.bias(frame) } : {};
}

/** Each channel separately; it may have several outputs. */
function depthwise(call: Call<'conv2d'>, dilations: [number, number], prepare: (filter: Filter) => Filter): Convolve {
  const { groups, filterLayout, padding, strides } = call.attributes;
  const { o } = filterSizes(call);
  const filter = call.prepared('filter', (provided) => {
    const prepared = prepare(reordered(provided, filterLayout, 'hwio'));
    const [height, width] = prepared.shape;
    return tf.reshape(prepared, [height, width, groups, o / groups]);
  });
  const group: Group = { filter, bias: call.has('bias') ? call.operand('bias') : null };
  // The kernel accepts explicit padding, although its type does not.
  const options = { strides: both(strides), pad: explicitPadding(padding) as unknown as number, dilations };
  return (frame, x) =>
    tf.fused.depthwiseConv2d({ x, filter: filter(frame) as Filter, ...options, ...biasOf(group, frame) });
}

function compileConv2d(call: Call<'conv2d'>): Step {
  const { groups, inputLayout, padding, strides } = call.attributes;
  const input = call.operand('input');
  const isDilated = call.attributes.dilations.some((dilation) => dilation > 1);
  const spreads = isDilated && strides.some((stride) => stride > 1);
  const dilations = spreads ? both([1, 1]) : both(call.attributes.dilations);
  const prepare = (filter: Filter) => (spreads ? dilated(filter, call.attributes.dilations) : filter);
  const options = { strides: both(strides), pad: explicitPadding(padding), dilations };
  const convolve =
    (group: Group): Convolve =>
    (frame, x) =>
      tf.fused.conv2d({ x, filter: group.filter(frame) as Filter, ...options, ...biasOf(group, frame) });
  const isDepthwise = groups > 1 && filterSizes(call).i === 1;
  const run = isDepthwise
    ? depthwise(call, dilations, prepare)
    : grouped(groupsOf(call, 'hwio', 'o', prepare), convolve);
  return (frame) => inNhwc(input(frame), inputLayout, (image) => run(frame, image));
}

function compileConvTranspose2d(call: Call<'convTranspose2d'>): Step {
  const { inputLayout, padding, strides, dilations } = call.attributes;
  const input = call.operand('input');
  const { n, h, w } = sizesByLayout<'n' | 'h' | 'w'>(call.output().shape, inputLayout);
  const isDilated = dilations.some((dilation) => dilation > 1);
  const prepare = (filter: Filter) => (isDilated ? dilated(filter, dilations) : filter);
  const shape: [number, number, number, number] = [n, h, w, filterSizes(call).o];
  const convolve =
    (group: Group): Convolve =>
    (frame, image) => {
      const filter = group.filter(frame) as Filter;
      const result = tf.conv2dTranspose(image, filter, shape, both(strides), explicitPadding(padding));
      return group.bias ? tf.add(result, group.bias(frame)) : result;
    };
  const run = grouped(groupsOf(call, 'hwoi', 'i', prepare), convolve);
  return (frame) => inNhwc(input(frame), inputLayout, (image) => run(frame, image));
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-conv2d and -convtranspose2d */
export const CONVOLUTION = [entry('conv2d', compileConv2d), entry('convTranspose2d', compileConvTranspose2d)];
