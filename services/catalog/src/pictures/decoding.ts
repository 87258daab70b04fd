// A program of its own: it decodes one picture from its standard input, sends the sizes in which it is stored to the process that
// started it, and ends. So a picture that breaks a decoder, or takes all memory, ends nothing else, and its memory is free again.
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { isTaken, sizesOf, type Size } from '../domain/picture-sizes.ts';

type Kind = 'png' | 'jpg' | 'webp' | 'avif';

/** A file to store. */
interface Encoded extends Size {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
}

/** What the program sends, as one message. */
export type Decoded =
  | { readonly kind: Kind; readonly sizes: readonly Size[]; readonly files: readonly Encoded[] }
  | { readonly refused: 'not-supported' }
  | { readonly refused: 'unreadable' }
  | { readonly refused: 'too-large'; readonly kind: Kind; readonly size: Size };

const kinds: Readonly<Record<string, Kind>> = { png: 'png', jpeg: 'jpg', webp: 'webp', avif: 'avif' };

const formats: Readonly<Record<Kind, (image: Sharp) => Sharp>> = {
  png: (image) => image.png(),
  jpg: (image) => image.jpeg({ quality: 82 }),
  webp: (image) => image.webp({ quality: 80 }),
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
};

// The only decoders of libvips that a picture may reach. SVG, PDF, GIF, TIFF and all others are unknown to it.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Png', 'Jpeg', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`) });
sharp.cache(false);
sharp.concurrency(1);

process.once('disconnect', () => process.exit());
// Where memory runs out, Linux ends this process and not the service.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
const decoded = await decode(await buffer(process.stdin));
process.send?.(decoded, () => process.exit());

async function decode(bytes: Buffer): Promise<Decoded> {
  const head = bytes.length === 0 ? null : await headOf(bytes);
  if (head === null) return { refused: 'not-supported' };
  const { kind, size } = head;
  if (!isTaken(kind, size)) return { refused: 'too-large', kind, size };
  try {
    return await encode(bytes, kind, head.upright);
  } catch {
    return { refused: 'unreadable' };
  }
}

/** What the head of the file says, of which nothing is decoded yet; null if it is no picture that is taken. */
async function headOf(bytes: Buffer): Promise<{ kind: Kind; size: Size; upright: Size } | null> {
  // The limit of pixels is checked by the caller, who says how many there are.
  const head = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (head === null) return null;
  const format = head.format === 'heif' && head.compression === 'av1' ? 'avif' : head.format;
  const kind = kinds[format];
  const { width, height, autoOrient } = head;
  return kind === undefined ? null : { kind, size: { width, height }, upright: autoOrient };
}

/** Encodes each size from the pixels alone. Of an animation only the first frame is read. */
async function encode(bytes: Buffer, kind: Kind, size: Size): Promise<Decoded> {
  const sizes = sizesOf(size);
  const largest = sizes.at(-1) ?? size;
  // The number of pixels was checked. Read from the top to the bottom, a picture needs no file for what is in memory.
  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: false, sequentialRead: true })
    .autoOrient()
    .resize({ ...largest, fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const files: Encoded[] = [];
  for (const as of new Set([kind, 'webp'] as const))
    for (const to of sizes) {
      const image = sharp(data, { raw: { width, height, channels } }).resize({ ...to, fit: 'fill' });
      files.push({ ...to, kind: as, bytes: await formats[as](image).toBuffer() });
    }
  return { kind, sizes, files };
}
