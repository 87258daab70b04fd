import { z } from 'zod';
import { catalogErrors } from '../../errors/catalog.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { created, line } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

/** The catalog serves its own pictures below this path. */
export const picturesPath = '/v1/products/images/';

/** The file name of a picture. The pattern allows no path, so a name can't lead out of the folder. */
export const pictureName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}\.(svg|png|jpg|webp|avif)$/)
  .meta({ description: 'The file name of a picture.', examples: ['mug.svg'] });

const examples = ['https://images.example.com/mug.jpg', `${picturesPath}mug.svg`];

const maxLength = 2048;

/** The address of a picture in a request. A URL is changed to the form that a browser would request (`URL.href`). */
export const pictureAddress = z
  .string()
  .max(maxLength)
  .transform((address, context) => {
    const read = readAddress(address);
    if ('href' in read && read.href.length <= maxLength) return read.href;
    const message = 'wrong' in read ? read.wrong : `must not be longer than ${maxLength} characters as a URL`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    format: 'uri-reference',
    maxLength,
    description: 'A URL without user name and password, or a path of this API.',
    examples,
  });

/** The address of a picture in an answer. */
export const shownPictureAddress = z.string().meta({
  format: 'uri',
  examples: ['https://images.example.com/mug.jpg', `https://api.shop.example${picturesPath}mug.svg`],
});

/** Returns a stored address as answers have it: a path becomes a URL below `apiUrl`, the address of the API. */
export function shownPicture(address: string, apiUrl: string): string {
  return address.startsWith(picturesPath) ? apiUrl + address : address;
}

/**
 * Returns the address of a request as it is stored: a URL below `apiUrl`, as answers have it, becomes a path. So it stays
 * good where the API gets another address.
 */
export function storedPicture(address: string, apiUrl: string): string {
  return address.startsWith(apiUrl + picturesPath) ? address.slice(apiUrl.length) : address;
}

function readAddress(address: string): { readonly href: string } | { readonly wrong: string } {
  const isOwn = address.startsWith(picturesPath) && pictureName.safeParse(address.slice(picturesPath.length)).success;
  if (isOwn) return { href: address };
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { wrong: `must be an http or https address, or begin with ${picturesPath}` };
  if (url.username !== '' || url.password !== '') return { wrong: 'must not hold a user name or a password' };
  return { href: url.href };
}

/** How many pictures a product has at most. */
export const mostPictures = 20;
/** The largest picture that can be uploaded, in bytes. */
export const maxPictureBytes = 20 * 1024 * 1024;

/** The media types of pictures that are taken, by the ending of a file name. */
export const pictureTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif' } as const;
export type PictureKind = keyof typeof pictureTypes;

const pictureSize = z.object({
  url: shownPictureAddress,
  width: z.int().meta({ examples: [800] }),
  height: z.int().meta({ examples: [600] }),
  type: z.enum(Object.values(pictureTypes)),
});

const ofUpload = {
  id: idSchema('img'),
  width: z.int().meta({ description: 'The width of `url` in pixels.', examples: [1600] }),
  height: z.int().meta({ examples: [1200] }),
  sizes: z.array(pictureSize).meta({
    description: 'What a page puts into `srcset`: up to three widths, in WebP and in the kind of the upload.',
  }),
};
const url = shownPictureAddress.meta({ description: 'The largest size of an uploaded picture, in its own kind.' });

/** An uploaded picture in an answer. */
export const uploadedImage = z.object({ ...ofUpload, url, alt: z.string() }).meta({ id: 'UploadedImage' });
export type UploadedImageBody = z.output<typeof uploadedImage>;

/** A picture of a product in an answer. Only an uploaded one has more than its address. */
export const productImage = z.object({ ...z.object(ofUpload).partial().shape, url, alt: z.string() });
export type ProductImageBody = z.output<typeof productImage>;

export const pictureParams = z.object({ name: pictureName });

const ofProduct = z.object({ id: idSchema('prod') });
const tags = ['products'];

export const pictureOperations = operationsOf(
  operation({
    id: 'getProductPicture',
    method: 'GET',
    path: `${picturesPath}{name}`,
    access: 'public',
    tags,
    summary: 'Read a picture of a product',
    description:
      'The file as it is. An uploaded one never changes and may be cached for a year, one of the folder of the shop for an hour.',
    params: pictureParams,
    responses: {
      200: { description: 'The picture.', contentType: 'image/*', headers: { ETag: 'Stands for the file.' } },
      304: { description: 'The client has this file already.' },
    },
    errors: [commonErrors.routeNotFound],
  }),
  operation({
    id: 'uploadProductPicture',
    method: 'POST',
    path: '/v1/products/{id}/images',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    idempotent: true,
    takesMs: 28_000,
    tags,
    summary: 'Upload a picture of a product',
    description:
      'The body is the file: a PNG, JPEG, WebP or AVIF of at most 20 MiB, 50 million pixels (an AVIF 16 million) and 16,000 on each side. What ' +
      'counts are its bytes; the `Content-Type` only has to be that of a picture. It becomes the last picture of the product, in up to ' +
      'three widths, upright and without metadata. Of an animation the first frame is taken. `PATCH /v1/products/{id}` with ' +
      '`images` puts pictures into another order.',
    params: ofProduct,
    query: z.strictObject({
      alt: line(200, 0)
        .default('')
        .meta({ description: 'Text for those who do not see it.', examples: ['A blue mug'] }),
    }),
    rawBody: { contentTypes: ['image/*'], maxBytes: maxPictureBytes, maxBytesAtOnce: 64 * 1024 * 1024 },
    responses: { 201: created(uploadedImage) },
    errors: [
      catalogErrors.pictureNotSupported,
      catalogErrors.pictureUnreadable,
      catalogErrors.pictureTooLarge,
      catalogErrors.tooManyPictures,
      catalogErrors.tooManyUploads,
    ],
  }),
  operation({
    id: 'deleteProductPicture',
    method: 'DELETE',
    path: '/v1/products/{id}/images/{imageId}',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    versioned: true,
    tags,
    summary: 'Delete an uploaded picture of a product',
    description: 'Its files are deleted a day later. `If-Match` names the version of the product.',
    params: z.object({ id: idSchema('prod'), imageId: idSchema('img') }),
    responses: { 204: null },
  }),
);
