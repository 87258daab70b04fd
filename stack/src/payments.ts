import { join } from 'node:path';
import { reasonOf } from '@storefront/backing';
import { startDemoProvider } from '@storefront/demo-provider';
import { StackError } from './error.ts';
import { portOf } from './options.ts';
import type { Secrets } from './secrets.ts';

/** The payment providers of the started system. */
export interface Payments {
  /** The demo provider. Left out where PAYMENT_PROVIDERS names only other providers. */
  readonly demo?: {
    /** The key with which the provider signs its callbacks. */
    readonly secret: string;
    readonly url: string;
  };
}

/** The name of the seller on invoices, and of the shop on the payment page. */
export const sellerName = (env: NodeJS.ProcessEnv) => env.SELLER_NAME || 'Storefront GmbH';

/**
 * Starts the demo payment provider, unless PAYMENT_PROVIDERS names only other providers. Throws a StackError where its
 * port is in use.
 */
export async function startPayments(options: {
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  dataDir: string;
  /** The address of the first gateway. */
  api: string;
  say: (line: string) => void;
  resources: AsyncDisposableStack;
}): Promise<Payments> {
  const { env, secrets, dataDir, api, say, resources } = options;
  if (env.PAYMENT_PROVIDERS && !env.PAYMENT_PROVIDERS.split(',').some((name) => name.trim() === 'demo')) return {};
  // There may be two secrets, separated by a comma. The first one signs.
  const [secret = ''] = (env.DEMO_PAYMENT_SECRETS || secrets.secret('demo payments')).split(',');
  const port = portOf(env, 'PAYMENTS_PORT');
  const provider = await startDemoProvider({
    secret: secret.trim(),
    callbackUrl: `${api}/v1/payments/callbacks/demo`,
    dataDir: join(dataDir, 'payments'),
    shopName: sellerName(env),
    say,
    ...(port !== undefined && { port }),
  }).catch((error: unknown) => {
    throw new StackError(
      `The payment page can't be opened (${reasonOf(error)}): end what listens there, ` +
        'or set PAYMENTS_PORT to another port (0: any free one).',
    );
  });
  resources.defer(() => provider.close());
  const demo = { secret: secret.trim(), url: provider.url };
  say(`Payments: demo provider at ${demo.url}; no money moves.`);
  return { demo };
}
