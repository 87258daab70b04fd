import { createProvider } from './provider.ts';
import { createSender } from './send.ts';
import { openState } from './state.ts';
import { buildWeb } from './web.ts';

export interface DemoProviderOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /**
   * 0 chooses any free port. The default is the port of the last start with the same folder if it is free, otherwise
   * any free port.
   */
  readonly port?: number;
  /** The secret to sign callbacks and to check the addresses of the pages. It is also the bearer token of the API. */
  readonly secret: string;
  /** The URL to which callbacks are sent. */
  readonly callbackUrl: string;
  /** The folder in which payments and callbacks are stored. By default they are only in memory. */
  readonly dataDir?: string;
  readonly shopName: string;
  /** Gets a line for each callback that could not be delivered. */
  readonly say?: (line: string) => void;
}

export interface StartedDemoProvider {
  /** The common first part of all page addresses; a payment's page is `<url>/pay/<paymentId>?…`. */
  readonly url: string;
  /** Stops the provider. Callbacks that are not delivered are sent after the next start with the same folder. */
  close(): Promise<void>;
}

/**
 * Starts a payment provider for development and tests, with pages to pay on. Its signed callbacks are sent again until
 * the shop accepts them. Throws the error of `listen` if the given port is in use.
 */
export async function startDemoProvider(options: DemoProviderOptions): Promise<StartedDemoProvider> {
  const { host = '127.0.0.1', port, secret, callbackUrl, dataDir, shopName, say = () => undefined } = options;
  if (secret === '') throw new TypeError('A payment provider needs a secret');
  const state = await openState(dataDir);
  const sender = createSender({ state, secret, callbackUrl, say });
  const web = buildWeb({ provider: createProvider(state, sender), secret, shopName });
  const close = async () => {
    await Promise.all([web.close(), sender.close()]);
  };
  try {
    const listen = (on: number) => web.listen({ port: on, host });
    const url = await (port === undefined ? listen(state.get().port ?? 0).catch(() => listen(0)) : listen(port));
    await state.change((before) => ({ ...before, port: Number(new URL(url).port) }));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
