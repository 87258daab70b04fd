import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { ConfigError } from '@storefront/process';
import type { StoredFile } from './manifest.ts';

const writeAtOnce = 256 * 1024;

/** Writes BSON documents into a new file that only the owner can read. Only a few documents are in memory at a time. */
export async function storeDocuments(
  folder: string,
  file: string,
  documents: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let count = 0;
  let bytes = 0;
  async function* gathered(): AsyncGenerator<Buffer> {
    let waiting: Uint8Array[] = [];
    let size = 0;
    for await (const document of documents) {
      count += 1;
      waiting.push(document);
      size += document.length;
      if (size < writeAtOnce) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
    yield Buffer.concat(waiting);
  }
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(gathered(), { objectMode: true, highWaterMark: 2 }),
    createZstdCompress(),
    hashing,
    createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { file, documents: count, bytes, sha256: hash.digest('hex') };
}

/** Throws a ConfigError where the file is missing, or where its size or hash differs from the manifest. */
export async function checkStoredFile(folder: string, { file, bytes, sha256 }: StoredFile): Promise<void> {
  const path = join(folder, file);
  const found = await stat(path).catch((error: unknown) => {
    throw new ConfigError(`The backup is damaged: ${(error as Error).message}`);
  });
  if (found.size !== bytes)
    throw new ConfigError(`The backup is damaged: ${file} has ${found.size} bytes, not ${bytes}.`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new ConfigError(`The backup is damaged: ${file} has another SHA-256.`);
}

const shortestDocument = 5;

/** Reads the documents of a file, one after the other. */
export async function* readDocuments(folder: string, { file }: StoredFile): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(join(folder, file));
  const unpacked = stream.pipe(createZstdDecompress());
  stream.on('error', (error) => unpacked.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= shortestDocument) {
      // Every BSON document begins with its length in bytes.
      const length = rest.readInt32LE(at);
      if (rest.length - at < length) break;
      yield rest.subarray(at, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document`);
}
