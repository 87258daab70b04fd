import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createApp } from './app.ts';

export interface ShopOptions {
  /** The address of the API. */
  readonly apiUrl: string;
  /** The shop's name, in its header and titles. */
  readonly name: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** The address that shoppers see, where it is not that of the port: behind a proxy that ends TLS. */
  readonly url?: string;
}

export interface StartedShop {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the shop. Rejects with the error of `listen` where the port is in use. The API may start later. */
export async function startShop(options: ShopOptions): Promise<StartedShop> {
  const { apiUrl, name, port, host = '127.0.0.1' } = options;
  let app: ReturnType<typeof createApp> | undefined;
  const fetch = (request: Request, bindings: object) =>
    app?.fetch(request, bindings) ?? new Response(null, { status: 503 });
  const server = serve({ fetch, port, hostname: host });
  await once(server, 'listening');
  // Passkeys need a name: browsers make none for an IP address.
  const nameOfHost = host === '127.0.0.1' ? 'localhost' : host;
  const url = options.url ?? `http://${nameOfHost}:${(server.address() as AddressInfo).port}`;
  app = createApp({ apiUrl, name, url });
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // A page that follows its notifications never ends its request.
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}
