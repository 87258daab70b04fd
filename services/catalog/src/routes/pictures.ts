import { resolve } from 'node:path';
import { send } from '@fastify/send';
import { commonErrors, type catalogOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

/**
 * Serves the pictures in a folder. If no folder is configured, the route does not exist. A shop with many pictures
 * should use a separate server for them.
 */
export function pictureHandlers(
  folder: string | undefined,
): Pick<Handlers<typeof catalogOperations>, 'getProductPicture'> {
  return {
    async getProductPicture(request, reply) {
      if (folder === undefined) throw commonErrors.routeNotFound();
      void reply
        // An SVG may contain a script. With this header browsers show the picture but do not run the script.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        // Pages of every origin may show it.
        .header('cross-origin-resource-policy', 'cross-origin');
      const picture = await send(request.raw, request.params.name, {
        root: resolve(folder),
        maxAge: '1h',
        dotfiles: 'deny',
        index: false,
      });
      if (picture.type === 'error' && picture.statusCode !== 404) throw picture.metadata.error;
      if (picture.type !== 'file') throw commonErrors.routeNotFound();
      return reply.code(picture.statusCode).headers(picture.headers).send(picture.stream);
    },
  };
}
