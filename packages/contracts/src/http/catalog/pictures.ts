import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
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

export const pictureParams = z.object({ name: pictureName });

export const pictureOperations = operationsOf(
  operation({
    id: 'getProductPicture',
    method: 'GET',
    path: `${picturesPath}{name}`,
    access: 'public',
    tags: ['products'],
    summary: 'Read a picture of a product',
    description: 'The file as it is. It may be cached for an hour.',
    params: pictureParams,
    responses: { 200: { description: 'The picture.', contentType: 'image/*' } },
    errors: [commonErrors.routeNotFound],
  }),
);
