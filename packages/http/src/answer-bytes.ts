import type { ServerResponse } from 'node:http';

const blockBytes = 64 * 1024;
const keptAtMost = 64;

/** Turns an answer's text into bytes. The bytes may be read until the response has been sent. */
export type AnswerBytes = (text: string, response: ServerResponse) => Buffer;

/**
 * Creates a function that writes answers into memory blocks, and uses a block again once its answer has been sent. With
 * new memory for each, thousands of answers a second take 64 MB in less than a second. After so much memory outside its
 * heap V8 marks the whole heap, and requests must wait.
 */
export function createAnswerBytes(): AnswerBytes {
  const free: Buffer[] = [];
  return (text, response) => {
    if (Buffer.byteLength(text) > blockBytes) return Buffer.from(text);
    const block = free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    // `finish` comes once the kernel has the last byte. If the client left before, the block is not used again but
    // collected as garbage.
    response.once('finish', () => {
      if (free.length < keptAtMost) free.push(block);
    });
    return block.subarray(0, block.write(text));
  };
}
