import type { ServerResponse } from 'node:http';

const blockBytes = 64 * 1024;
const keptAtMost = 64;

/** Makes the bytes of an answer. They may be looked at until the response has been sent. */
export type AnswerBytes = (text: string, response: ServerResponse) => Buffer;

/**
 * Makes bytes of long answers in memory that is used again once it has been sent. With new memory for each, thousands
 * of answers a second are 64 MB in less than a second, and after so much memory outside of its heap V8 marks the whole
 * heap: requests wait for that.
 */
export function createAnswerBytes(): AnswerBytes {
  const free: Buffer[] = [];
  return (text, response) => {
    if (Buffer.byteLength(text) > blockBytes) return Buffer.from(text);
    const block = free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    // It comes once the kernel has the last byte. Where the client has left before, the memory is garbage.
    response.once('finish', () => {
      if (free.length < keptAtMost) free.push(block);
    });
    return block.subarray(0, block.write(text));
  };
}
