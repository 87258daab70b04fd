import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
import { operation, operationsOf } from '../operation.ts';

/** The path below which the catalog serves pictures of its own. */
export const picturesPath = '/v1/products/images/';

/** The file name of a picture: it can't name a file outside the folder. */
export const pictureName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}\.(svg|png|jpg|webp|avif)$/)
  .meta({ description: 'The file name of a picture.', examples: ['mug.svg'] });

const examples = ['https://images.example.com/mug.jpg', `${picturesPath}mug.svg`];

const maxLength = 2048;

/** Where a picture is, in a request: a URL becomes what a browser would ask for (`URL.href`). */
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

/** Where a picture is, in an answer. */
export const shownPictureAddress = z
  .string()
  .meta({ format: 'uri-reference', description: 'A URL, or a path of this API.', examples });

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
