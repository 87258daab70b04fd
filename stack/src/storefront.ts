import { reasonOf } from '@storefront/backing';
import { StackError } from './error.ts';
import { portOf } from './options.ts';

const usualPort = 3080;

/**
 * Serves the example shop in this process, and returns its address. It starts before the services, because they are given
 * its address for the links in mails. Throws a StackError where the port in STOREFRONT_PORT is in use.
 */
export async function startStorefront(options: {
  env: NodeJS.ProcessEnv;
  /** The address of the first gateway. */
  api: string;
  resources: AsyncDisposableStack;
}): Promise<string> {
  const { env, api, resources } = options;
  // Its code is loaded only where it is wanted.
  const { startShop } = await import('@storefront/example-storefront');
  const startOn = (port: number) => startShop({ apiUrl: api, name: env.SHOP_NAME || 'Storefront', port });
  const wanted = portOf(env, 'STOREFRONT_PORT');
  const usual = portOf(env, 'PORT') === 0 ? 0 : usualPort;
  const shop = await (wanted === undefined ? startOn(usual).catch(() => startOn(0)) : startOn(wanted)).catch(
    (error: unknown) => {
      throw new StackError(
        `The shop can't be opened (${reasonOf(error)}): end what listens there, ` +
          'or set STOREFRONT_PORT to another port (0: any free one), or leave the shop out by --no-storefront.',
      );
    },
  );
  resources.defer(() => shop.close());
  return shop.url;
}
