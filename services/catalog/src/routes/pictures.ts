import { resolve } from 'node:path';
import files from '@fastify/static';
import { catalogHttp } from '@storefront/contracts';
import type { App } from '@storefront/service-kit';

/** Serves the pictures of a folder as they are. A shop with many puts them on a server of its own instead. */
export function pictureRoutes(app: App, folder: string): void {
  app.register(files, { root: resolve(folder), serve: false });
  app.get(
    `${catalogHttp.picturesPath}:name`,
    {
      config: { access: 'public' },
      schema: {
        tags: ['products'],
        summary: 'A picture of a product',
        operationId: 'getProductPicture',
        params: catalogHttp.pictureParams,
      },
    },
    (request, reply) =>
      reply
        // An SVG may hold a script: it is shown, never run.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .sendFile(request.params.name, { maxAge: '1h', dotfiles: 'deny' }),
  );
}
