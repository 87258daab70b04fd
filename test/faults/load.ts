import { createClient } from './client.ts';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { MailReader } from './mail-reader.ts';
import { isSuccess } from './operations/operation.ts';
import type { Account, Admin, Operation, Product, VirtualUser } from './operations/operation.ts';
import { randomOf } from './random.ts';
import type { Random } from './random.ts';

export interface LoadOptions {
  readonly seed: number;
  readonly users: number;
  /** Sets apart the users of one load from those of another on the same system. */
  readonly stream: string;
  readonly gateways: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string };
  readonly operations: readonly Operation[];
  readonly ledger: Ledger;
  readonly mails: MailReader;
  /** Asked before each operation. */
  readonly goOn: () => boolean;
}

/** Virtual users make calls until they are told to stop; each makes one after the other. Answers what they saw. */
export async function load(options: LoadOptions): Promise<Client['stats']> {
  const { seed, gateways } = options;
  const client = createClient(gateways, randomOf(seed, 'gateways'));
  const admin = createAdmin(client, options.administrator);
  const products: Product[] = [];
  const users = Array.from({ length: options.users }, (_, at): VirtualUser => {
    const name = `${options.stream}-u${at + 1}`;
    let made = 0;
    return {
      name,
      random: randomOf(seed, name),
      client,
      mails: options.mails,
      accounts: [],
      admin,
      products,
      fresh: (what) => `${what}-${seed}-${name}-${(made += 1)}`,
    };
  });
  await Promise.all(users.map((user) => work(user, options)));
  return client.stats;
}

async function work(user: VirtualUser, { operations, ledger, goOn }: LoadOptions): Promise<void> {
  while (goOn()) {
    const { operation, account, product } = choose(user, operations);
    const entry = ledger.begin(operation.name);
    if (operation.needs?.account) entry.about(account.email);
    await operation.run(user, entry, account, product).catch((error: unknown) => {
      throw new Error(`${entry.name} of ${user.name} can't be made sense of`, { cause: error });
    });
  }
}

function choose({ random, accounts, products }: VirtualUser, operations: readonly Operation[]) {
  // The latest are enough: who registered long ago is as good as who did just now.
  const recent = accounts.slice(-40);
  const possible = operations
    .map((operation) => ({ operation, fitting: recent.filter(operation.needs?.account ?? (() => false)) }))
    .filter(({ operation: { needs }, fitting }) => !needs?.account || fitting.length > 0)
    .filter(({ operation: { needs } }) => !needs?.product || products.length > 0);
  const { operation, fitting } = weighted(random, possible);
  return {
    operation,
    account: fitting.length > 0 ? random.pick(fitting) : ({} as Account),
    product: products.length > 0 ? random.pick(products) : ({} as Product),
  };
}

function weighted<Item extends { operation: Operation }>(random: Random, items: readonly Item[]): Item {
  let left = random.next() * items.reduce((sum, { operation }) => sum + operation.weight, 0);
  const found = items.find(({ operation }) => (left -= operation.weight) < 0) ?? items[0];
  if (!found) throw new RangeError('there is nothing to do');
  return found;
}

function createAdmin(client: Client, { email, password }: LoadOptions['administrator']): Admin {
  let token: Promise<string | undefined> | undefined;
  const logIn = async () => {
    const reply = await client.call('POST', '/v1/auth/login', { body: { email, password } });
    return isSuccess(reply) ? (reply.body.accessToken as string) : undefined;
  };
  return {
    async call(method, path, call = {}) {
      token ??= logIn();
      const mine = token;
      const reply = await client.call(method, path, { ...call, token: await mine });
      // The next call logs in again, once for all.
      if (reply.status === 401 && token === mine) token = undefined;
      return reply;
    },
  };
}
