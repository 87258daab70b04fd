import { catalogErrors, commonErrors, type catalogHttp } from '@storefront/contracts';
import type { Sharp } from 'sharp';
import { checkSize, pictureLimits, sizesOf, type Size } from '../domain/pictures.ts';
import { createDecodingRoom } from './decoding-room.ts';

type SharpModule = typeof import('sharp');

/** A picture that was checked, in the sizes in which it is stored. */
export interface EncodedPicture {
  readonly kind: catalogHttp.PictureKind;
  readonly sizes: readonly Size[];
  /** Encodes one size. */
  encode(size: Size, kind: catalogHttp.PictureKind): Promise<Buffer>;
}

/**
 * Decodes an uploaded picture, and gives it to `work`, which encodes it again. Nothing of the upload but its pixels comes
 * out: no metadata, and no bytes that are no picture. Of an animation only the first frame is decoded.
 *
 * Two pictures are decoded at once, and those with many pixels one after the other, because each one takes a thread and up
 * to 200 MB. Others wait. Throws `picture_not_supported`, `picture_unreadable`, `picture_too_large`, and `overloaded` if
 * too many wait or one takes too long. `signal` ends the wait.
 */
export type EncodePicture = <Result>(
  bytes: Buffer,
  signal: AbortSignal,
  work: (picture: EncodedPicture) => Promise<Result>,
) => Promise<Result>;

const kinds: Readonly<Record<string, catalogHttp.PictureKind>> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  avif: 'avif',
};

// The only decoders of libvips that a picture may reach. SVG, PDF, GIF, TIFF and all others are unknown to it.
const decoders = ['PngBuffer', 'JpegBuffer', 'WebpBuffer', 'HeifBuffer'].map((name) => `VipsForeignLoad${name}`);

const secondsPerPicture = 20;

export function createPictureEncoder(): EncodePicture {
  let loaded: Promise<SharpModule['default']> | undefined;
  const room = createDecodingRoom();

  // Loaded with the first upload: most instances never need its 20 MB.
  function load(): Promise<SharpModule['default']> {
    loaded ??= import('sharp').then(({ default: sharp }) => {
      sharp.cache(false);
      sharp.concurrency(1);
      sharp.block({ operation: ['VipsForeignLoad'] });
      sharp.unblock({ operation: decoders });
      return sharp;
    });
    return loaded;
  }

  return async (bytes, signal, work) => {
    const sharp = await load();
    const { kind, size, pixels } = await inspect(sharp, bytes);
    return room(pixels, signal, async () => {
      const deadline = performance.now() + secondsPerPicture * 1000;
      const within = (image: Sharp) =>
        image.timeout({ seconds: Math.max(1, Math.ceil((deadline - performance.now()) / 1000)) });
      const sizes = sizesOf(size);
      const largest = sizes.at(-1) ?? size;
      const input = sharp(bytes, { failOn: 'error', limitInputPixels: pictureLimits.pixels, sequentialRead: true });
      const decoded = await readable(
        within(input.autoOrient().resize({ ...largest, fit: 'fill' }))
          .toColourspace('srgb')
          .raw()
          .toBuffer({ resolveWithObject: true }),
      );
      const { width, height, channels } = decoded.info;
      return work({
        kind,
        sizes,
        encode: (to, as) => {
          const image = sharp(decoded.data, { raw: { width, height, channels } }).resize({ ...to, fit: 'fill' });
          return readable(within(formats[as](image)).toBuffer());
        },
      });
    });
  };
}

const formats: Readonly<Record<catalogHttp.PictureKind, (image: Sharp) => Sharp>> = {
  png: (image) => image.png(),
  jpg: (image) => image.jpeg({ quality: 82 }),
  webp: (image) => image.webp({ quality: 80 }),
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
};

/** Reads the head of a picture only: nothing is decoded. */
async function inspect(
  sharp: SharpModule['default'],
  bytes: Buffer,
): Promise<{ kind: catalogHttp.PictureKind; size: Size; pixels: number }> {
  if (bytes.length === 0) throw catalogErrors.pictureNotSupported();
  // The limit of pixels is checked below, where the refusal can say what the picture has.
  const head = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  const format = head?.format === 'heif' && head.compression === 'av1' ? 'avif' : head?.format;
  const kind = format === undefined ? undefined : kinds[format];
  if (head === null || kind === undefined) throw catalogErrors.pictureNotSupported();
  const { width, height, autoOrient } = head;
  checkSize({ width, height });
  return { kind, size: { width: autoOrient.width, height: autoOrient.height }, pixels: width * height };
}

async function readable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.message.includes('timeout')) throw commonErrors.overloaded();
    throw catalogErrors.pictureUnreadable();
  }
}
