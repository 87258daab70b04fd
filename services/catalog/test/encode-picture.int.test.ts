import { fileURLToPath } from 'node:url';
import { memoryLogger } from '@storefront/testing';
import { expect, it } from 'vitest';
import { createPictureEncoder } from '../src/pictures/encode-picture.ts';
import { onePixel } from './harness.ts';

/** Does what the bytes say instead of decoding them. */
const program = fileURLToPath(new URL('odd-decoding.ts', import.meta.url));
const { signal } = new AbortController();

function encoder(options: { waitMs?: number; decodeMs?: number } = {}) {
  const { logger, lines } = memoryLogger();
  const encode = createPictureEncoder({ logger, program, ...options });
  return { encode: (what: string, by = signal) => encode(Buffer.from(what), by), lines };
}

it('decodes a picture', async () => {
  const encode = createPictureEncoder(memoryLogger());
  const { kind, sizes, files } = await encode(onePixel, signal);
  expect([kind, sizes]).toEqual(['png', [{ width: 1, height: 1 }]]);
  expect(files.map((file) => [file.kind, file.width])).toEqual([
    ['png', 1],
    ['webp', 1],
  ]);
});

it('lives on where a picture ends the process that decodes it', async () => {
  const { encode, lines } = encoder();
  await expect(encode('crash')).rejects.toMatchObject({ code: 'picture_unreadable' });
  expect(lines.join()).toContain('a picture has ended the process that decodes it');
  await expect(encode('answer')).rejects.toMatchObject({ code: 'picture_not_supported' });
});

it('gives the process nothing of the environment', async () => {
  process.env['SECRET_OF_THE_SERVICE'] = 'x';
  const { encode } = encoder();
  await expect(encode('environment')).rejects.toMatchObject({ code: 'picture_not_supported' });
  delete process.env['SECRET_OF_THE_SERVICE'];
});

it('ends a process that takes too long, and one whose client left', async () => {
  const { encode } = encoder({ decodeMs: 300 });
  await expect(encode('hang')).rejects.toMatchObject({ code: 'overloaded' });
  const slow = encoder();
  const client = new AbortController();
  const left = slow.encode('hang', client.signal);
  client.abort();
  await expect(left).rejects.toMatchObject({ code: 'overloaded' });
  await expect(slow.encode('hang', client.signal)).rejects.toMatchObject({ code: 'overloaded' });
  await expect(slow.encode('answer')).rejects.toMatchObject({ code: 'picture_not_supported' });
});

it('decodes one after the other, and refuses who would wait too long or behind twelve others', async () => {
  const { encode } = encoder({ waitMs: 200, decodeMs: 1000 });
  const first = encode('hang');
  const waiting = Array.from({ length: 12 }, () => encode('answer'));
  await expect(encode('answer')).rejects.toMatchObject({ code: 'overloaded' });
  const outcomes = await Promise.allSettled([first, ...waiting]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'overloaded' } });
  await expect(encode('answer')).rejects.toMatchObject({ code: 'picture_not_supported' });
});
