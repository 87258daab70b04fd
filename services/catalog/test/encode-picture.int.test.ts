import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryLogger, onePixel } from '@storefront/testing';
import { expect, it } from 'vitest';
import { createPictureEncoder } from '../src/pictures/encode-picture.ts';

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

it('says what is wrong where the program itself does not run', async () => {
  await expect(encoder().encode('fail')).rejects.toThrow('there is no binary for this platform');
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

it('decodes one after the other, and refuses at once who would wait behind twelve others', async () => {
  const { encode } = encoder({ waitMs: 60_000 });
  const client = new AbortController();
  const first = encode('hang', client.signal);
  // It does not wait any more.
  await wait(0);
  const waiting = Promise.allSettled(Array.from({ length: 12 }, () => encode('answer')));
  const refused = encode('answer').catch((error: unknown) => (error as { code: string }).code);
  await expect(Promise.race([refused, wait(10_000)])).resolves.toBe('overloaded');
  client.abort();
  await expect(first).rejects.toMatchObject({ code: 'overloaded' });
  for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { code: 'picture_not_supported' } });
});

it('refuses who has waited too long', async () => {
  const { encode } = encoder({ waitMs: 100 });
  const client = new AbortController();
  const first = encode('hang', client.signal).catch((error: unknown) => error);
  await expect(encode('answer')).rejects.toMatchObject({ code: 'overloaded' });
  client.abort();
  await first;
  await expect(encode('answer')).rejects.toMatchObject({ code: 'picture_not_supported' });
});
