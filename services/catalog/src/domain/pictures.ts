import { catalogErrors, catalogFields, catalogHttp, type FieldError, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Size } from './picture-sizes.ts';

const size = z.object({ width: z.int(), height: z.int() });

const pictureKind = z.enum(['png', 'jpg', 'webp', 'avif']) satisfies z.ZodType<catalogHttp.PictureKind>;

/** A picture of a product: an address elsewhere, a file of the shop's folder, or an upload. */
export const productImage = z.object({
  url: z.string(),
  alt: z.string(),
  upload: z
    .object({
      id: z.string(),
      /** The kind of the file that was uploaded. Each size is stored in this kind and as WebP. */
      kind: pictureKind,
      /** The smallest first. */
      sizes: z.array(size),
    })
    .optional(),
});
export type ProductImage = StateOf<typeof productImage>;

/** What of a product concerns its pictures. */
interface WithImages {
  readonly images: readonly ProductImage[];
}

/** How many pictures one member of the staff, or one program, may upload on a day. */
export const uploadsPerDay = 2000;

/**
 * How long the files of an uploaded picture are kept while no product names it: longer than an upload takes, and pages that
 * were loaded before still show a picture that was removed.
 */
export const unnamedKeptMs = 24 * 60 * 60 * 1000;

interface Upload {
  readonly id: string;
  readonly kind: catalogHttp.PictureKind;
  readonly sizes: readonly Size[];
}

/** A file of an uploaded picture. */
export interface PictureFile extends Size {
  readonly name: string;
  readonly kind: catalogHttp.PictureKind;
}

/** All files of an upload: each size in its own kind and as WebP. */
export function filesOf({ id, kind, sizes }: Upload): PictureFile[] {
  const kinds = kind === 'webp' ? ([kind] as const) : ([kind, 'webp'] as const);
  return kinds.flatMap((each) =>
    sizes.map((size) => ({ ...size, kind: each, name: fileName(id, { width: size.width, kind: each }) })),
  );
}

export function newImage(upload: Upload, alt: string): ProductImage {
  const largest = upload.sizes.at(-1)?.width ?? 0;
  const url = addressOf(fileName(upload.id, { width: largest, kind: upload.kind }));
  return { url, alt, upload: { ...upload, sizes: [...upload.sizes] } };
}

export function addressOf(name: string): string {
  return catalogHttp.picturesPath + name;
}

// Names have no underscore. The id is not to be guessed, and never used for another picture.
export function fileName(id: string, { width, kind }: Pick<PictureFile, 'width' | 'kind'>): string {
  return `${id.replace('_', '-')}-${width}.${kind}`;
}

const namedUpload = /\/v1\/products\/images\/img-([0-9a-z]{26})-\d{1,5}\.(?:png|jpg|webp|avif)$/;

/** The id of the upload to which a file with this address belongs; undefined for any other address. */
export function uploadAt(address: string): string | undefined {
  const id = namedUpload.exec(address)?.[1];
  return id === undefined ? undefined : `img_${id}`;
}

/** The pictures of a request. Where one has an address of an upload of the product, it stays that upload. */
export function withUploads(
  images: readonly ProductImage[],
  wanted: readonly Pick<ProductImage, 'url' | 'alt'>[],
): ProductImage[] {
  return wanted.map(({ url, alt }) => {
    const id = uploadAt(url);
    const found = id === undefined ? undefined : images.find(({ upload }) => upload?.id === id);
    return found ? { ...found, alt } : { url, alt };
  });
}

/**
 * An error for each path of an upload that the product does not have. Its file would be deleted with another product. Of a
 * whole address nothing is known: it may be of another shop.
 */
export function unknownUploads(
  product: WithImages | null,
  wanted: readonly Pick<ProductImage, 'url'>[] = [],
): FieldError[] {
  return wanted.flatMap(({ url }, at) =>
    isForeignUpload(product, url) ? [catalogFields.unknownPicture(`/images/${at}/url`)] : [],
  );
}

/**
 * An error for each variant whose picture is an upload that the product does not have. `at` is the place of the variants in
 * the request.
 */
export function unknownVariantPictures(
  product: WithImages | null,
  variants: readonly { readonly image?: string | null | undefined }[],
  at: (index: number) => string,
): FieldError[] {
  return variants.flatMap(({ image }, index) =>
    image && isForeignUpload(product, image) ? [catalogFields.unknownPicture(`${at(index)}/image`)] : [],
  );
}

/** The product, whose variants have no picture that is an upload which it has no longer. */
export function withoutLostPictures<Product extends WithImages & { readonly variants: readonly Pictured[] }>(
  product: Product,
): Product {
  const isLost = ({ image }: Pictured) => image !== null && isForeignUpload(product, image);
  if (!product.variants.some(isLost)) return product;
  return { ...product, variants: product.variants.map((each) => (isLost(each) ? { ...each, image: null } : each)) };
}

/** What of a variant concerns its picture. */
interface Pictured {
  readonly image: string | null;
}

/** Whether an address is the path of an upload that the product does not have; for null, of any upload. */
export function isForeignUpload(product: WithImages | null, address: string): boolean {
  const id = address.startsWith(catalogHttp.picturesPath) ? uploadAt(address) : undefined;
  return id !== undefined && !(product && uploadOf(product, id));
}

export function uploadOf({ images }: WithImages, id: string): ProductImage | undefined {
  return images.find(({ upload }) => upload?.id === id);
}

/**
 * The product with one more picture; the same product if it has the picture already. Throws `too_many_pictures`.
 */
export function withPicture<Product extends WithImages>(product: Product, image: ProductImage, now: Date): Product {
  if (image.upload && uploadOf(product, image.upload.id)) return product;
  checkRoom(product);
  return { ...product, images: [...product.images, image], updatedAt: now };
}

/** Throws `too_many_pictures` where a product can't have one more. */
export function checkRoom({ images }: WithImages): void {
  if (images.length >= catalogHttp.mostPictures) throw catalogErrors.tooManyPictures(catalogHttp.mostPictures);
}

/** The product without an uploaded picture; null if it has no such picture. */
export function withoutPicture<Product extends WithImages>(product: Product, id: string, now: Date): Product | null {
  if (!uploadOf(product, id)) return null;
  return { ...product, images: product.images.filter(({ upload }) => upload?.id !== id), updatedAt: now };
}

/** The uploads that a product names only before or only after a change. */
export function movedUploads(
  before: WithImages | null,
  after: WithImages | null,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [was, is] = [uploadsOf(before), uploadsOf(after)];
  return { added: [...is.difference(was)], removed: [...was.difference(is)] };
}

function uploadsOf(product: WithImages | null): Set<string> {
  return new Set((product?.images ?? []).flatMap(({ upload }) => upload?.id ?? []));
}
