import { join } from 'node:path';
import { reasonOf } from '@storefront/backing';
import { startDemoProvider } from '@storefront/demo-provider';
import { StackError } from './error.ts';
import { portOf } from './options.ts';
import type { Secrets } from './secrets.ts';

/** The payment providers of this start. */
export interface Payments {
  /** Absent where PAYMENT_PROVIDERS names others alone. */
  readonly demo?: {
    /** Signs its callbacks. */
    readonly secret: string;
    readonly url: string;
  };
}

/** The seller of the invoices, and the shop's name on the page of a payment. */
export const sellerName = (env: NodeJS.ProcessEnv) => env.SELLER_NAME || 'Storefront GmbH';

/**
 * Starts the demo payment provider, unless PAYMENT_PROVIDERS names others alone. Throws a StackError where its port is in use.
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
  // The first of two signs.
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
