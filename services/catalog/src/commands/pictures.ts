import { notFound, type Actor } from '@storefront/contracts';
import {
  checkRoom,
  fileName,
  newImage,
  unnamedKeptMs,
  uploadOf,
  uploadsPerDay,
  withoutPicture,
  withPicture,
  type ProductImage,
} from '../domain/pictures.ts';
import { withNext } from '../domain/product.ts';
import type { EncodePicture } from '../pictures/encode-picture.ts';
import type { Store } from '../store/collections.ts';
import type { PictureFiles } from '../store/picture-files.ts';
import type { Pictures } from '../store/pictures.ts';
import type { UploadCounts } from '../store/upload-counts.ts';
import { saveProduct } from './revise-product.ts';
import type { SaveNeeds } from './save-products.ts';

interface Needs extends SaveNeeds, Pick<Store, 'inTransaction'> {
  readonly pictures: Pictures;
  readonly encodePicture: EncodePicture;
  readonly pictureFiles: PictureFiles;
  readonly uploadCounts: UploadCounts;
  readonly now: () => Date;
}

/**
 * Adds a picture to a product under `id`. A repeated call with the same id and bytes changes nothing. The files are stored
 * before the product names them; if that fails, they are deleted a day later. Throws `not_found`, `too_many_pictures`,
 * `too_many_uploads` and what `EncodePicture` throws.
 */
export async function uploadPicture(
  needs: Needs,
  upload: {
    readonly id: string;
    readonly productId: string;
    readonly bytes: Buffer;
    readonly alt: string;
    readonly userId: string;
    readonly actor: Actor;
    readonly signal: AbortSignal;
  },
): Promise<ProductImage> {
  const { products, pictures, pictureFiles, uploadCounts, encodePicture, inTransaction, now } = needs;
  const { id, productId, bytes, alt, userId, actor, signal } = upload;
  const found = await products.load(productId);
  if (!found) throw notFound('product');
  const existing = uploadOf(found.state, id);
  if (existing) return existing;
  checkRoom(found.state);
  await uploadCounts.spend(userId, uploadsPerDay);

  const { kind, sizes, files } = await encodePicture(bytes, signal);
  await pictures.begin({ id, productId, files: files.map((file) => fileName(id, file)) });
  for (const file of files) await pictureFiles.put(fileName(id, file), file.bytes);
  const image = newImage({ id, kind, sizes }, alt);
  await inTransaction((transaction) =>
    saveProduct(needs, transaction, { id: productId, actor }, (current) => {
      if (!current) throw notFound('product');
      return withPicture(current, image, now());
    }),
  );
  return image;
}

/** Removes an uploaded picture from a product and its variants. `expect` throws if the client has seen another version of the product. */
export async function deletePicture(
  needs: Omit<Needs, 'encodePicture' | 'pictureFiles' | 'uploadCounts'>,
  picture: {
    readonly id: string;
    readonly productId: string;
    readonly actor: Actor;
    readonly expect: (version: number) => void;
  },
): Promise<void> {
  const { id, productId, actor, expect } = picture;
  await needs.inTransaction((transaction) =>
    saveProduct(needs, transaction, { id: productId, actor }, (current, version) => {
      if (!current) throw notFound('product');
      const next = withoutPicture(current, id, needs.now());
      if (!next) throw notFound('picture');
      expect(version);
      return withNext(current, next, needs.now());
    }),
  );
}

const removedAtOnce = 50;

/**
 * Deletes the files of pictures that no product has named for a day: of removed pictures, of deleted products, and of
 * uploads that were interrupted. Several instances may do so at once. The product has the last word: what it names is kept.
 */
export async function removeUnnamedPictures({
  products,
  pictures,
  pictureFiles,
  now,
}: Pick<Needs, 'products' | 'pictures' | 'pictureFiles' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - unnamedKeptMs);
  for (;;) {
    const unnamed = await pictures.takeUnnamed(before, removedAtOnce);
    if (unnamed.length === 0) return;
    const ofProducts = await Promise.all(unnamed.map(({ productId }) => products.load(productId)));
    const isNamed = (id: string) => ofProducts.some((product) => product && uploadOf(product.state, id));
    const [kept, removed] = [unnamed.filter(({ id }) => isNamed(id)), unnamed.filter(({ id }) => !isNamed(id))];
    await pictures.keep(kept.map(({ id }) => id));
    await pictureFiles.remove(removed.flatMap(({ files }) => files));
    await pictures.forget(removed.map(({ id }) => id));
  }
}
