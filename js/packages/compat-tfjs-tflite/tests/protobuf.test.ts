import { expect, it } from 'vitest';
import { Message } from '../src/tasks/protobuf.js';

it('writes fields in the format of protocol buffers', () => {
  const inner = new Message().int(1, 300).string(3, 'cat').string(4, '');
  const message = new Message().message(1, inner).float(2, 1);
  // From the format's documentation: field 1 with 300 is 08 ac 02.
  const expected = [0x0a, 8, 0x08, 0xac, 0x02, 0x1a, 3, 0x63, 0x61, 0x74, 0x15, 0, 0, 0x80, 0x3f];
  expect(Array.from(message.toBytes())).toEqual(expected);
});

it('writes negative numbers as 64 bits', () => {
  expect(Array.from(new Message().int(1, -1).toBytes())).toEqual([0x08, ...Array(9).fill(0xff), 0x01]);
});
