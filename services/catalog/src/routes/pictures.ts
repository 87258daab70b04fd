import { resolve } from 'node:path';
import { send } from '@fastify/send';
import { catalogHttp, commonErrors, notFound, type catalogOperations } from '@storefront/contracts';
import { actorOf, answerUnchanged, ifMatch, newIdFor, type Handlers } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deletePicture, uploadPicture } from '../commands/pictures.ts';
import { addressOf, uploadAt, uploadOf } from '../domain/pictures.ts';
import { showUploaded } from './show-product.ts';

type PictureOperation = 'getProductPicture' | 'uploadProductPicture' | 'deleteProductPicture';

// Longer than any page is open. A name never gets another content.
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Takes and serves uploaded pictures, and serves those in a folder of the shop, if one is configured. A shop with many
 * visitors should have a cache in front of them.
 */
export function pictureHandlers(
  parts: Parameters<typeof uploadPicture>[0] & {
    /** The public address of the API. */
    readonly apiUrl: string;
    readonly folder: string | undefined;
  },
): Pick<Handlers<typeof catalogOperations>, PictureOperation> {
  const { products, pictureFiles, apiUrl, folder } = parts;

  return {
    async getProductPicture(request, reply) {
      const { name } = request.params;
      void reply
        // An SVG may contain a script. With this header browsers show the picture but do not run the script.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        // Pages of every origin may show it.
        .header('cross-origin-resource-policy', 'cross-origin');
      return uploadAt(addressOf(name)) === undefined
        ? sendFromFolder(request, reply, name)
        : sendUploaded(request, reply, name);
    },

    uploadProductPicture: {
      async handle(request, reply) {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        const image = await uploadPicture(parts, {
          id: newIdFor(request, 'img'),
          productId: request.params.id,
          bytes: request.body,
          alt: request.query.alt,
          userId: request.caller.sub,
          actor: actorOf(request),
          signal: left.signal,
        });
        void reply.header('location', image.url);
        return showUploaded(image, apiUrl);
      },
      async again(request) {
        const found = await products.load(request.params.id);
        const image = found && uploadOf(found.state, newIdFor(request, 'img'));
        if (!image) throw notFound('picture');
        return showUploaded(image, apiUrl);
      },
    },

    async deleteProductPicture(request) {
      const { id: productId, imageId: id } = request.params;
      await deletePicture(parts, { id, productId, actor: actorOf(request), expect: ifMatch(request) });
      return null;
    },
  };

  async function sendUploaded(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
    const bytes = await pictureFiles.read(name);
    if (!bytes) throw commonErrors.routeNotFound();
    void reply
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .type(catalogHttp.pictureTypes[name.slice(name.lastIndexOf('.') + 1) as catalogHttp.PictureKind]);
    return answerUnchanged(request, reply, `"${name}"`) ? reply : reply.send(bytes);
  }

  async function sendFromFolder(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
    if (folder === undefined) throw commonErrors.routeNotFound();
    const picture = await send(request.raw, name, {
      root: resolve(folder),
      maxAge: '1h',
      dotfiles: 'deny',
      index: false,
    });
    if (picture.type === 'error' && picture.statusCode !== 404) throw picture.metadata.error;
    if (picture.type !== 'file') throw commonErrors.routeNotFound();
    return reply.code(picture.statusCode).headers(picture.headers).send(picture.stream);
  }
}
