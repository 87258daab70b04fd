import { createProvider } from './provider.ts';
import { createSender } from './send.ts';
import { openState } from './state.ts';
import { buildWeb } from './web.ts';

export interface DemoProviderOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** 0 chooses a free one. By default it is that of the last start on the same folder where it is free, else any free one. */
  readonly port?: number;
  /** Signs callbacks, checks the addresses of its pages, and is the bearer token of its API. */
  readonly secret: string;
  /** Where callbacks are sent. */
  readonly callbackUrl: string;
  /** Where it keeps what it has to send; in memory alone by default. */
  readonly dataDir?: string;
  readonly shopName: string;
  /** Receives a line for each callback that was not taken. */
  readonly say?: (line: string) => void;
}

export interface StartedDemoProvider {
  /** The first part of its pages' addresses; a payment's page is `<url>/pay/<paymentId>?…`. */
  readonly url: string;
  /** Stops it. What is not delivered is sent by the next start on the same folder. */
  close(): Promise<void>;
}

/**
 * Starts a payment provider for development and tests: pages to pay on, and signed callbacks that are sent until they are taken.
 * Throws the error of `listen` where the given port is in use.
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
