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

/** Where a picture is, in a request. */
export const pictureAddress = z
  .string()
  .max(2048)
  .refine(isPictureAddress, { error: `must be an http or https address, or begin with ${picturesPath}` })
  .meta({ format: 'uri-reference', description: 'A URL, or a path of this API.', examples });

/** Where a picture is, in an answer. */
export const shownPictureAddress = z
  .string()
  .meta({ format: 'uri-reference', description: 'A URL, or a path of this API.', examples });

function isPictureAddress(address: string): boolean {
  if (address.startsWith(picturesPath)) return pictureName.safeParse(address.slice(picturesPath.length)).success;
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
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
