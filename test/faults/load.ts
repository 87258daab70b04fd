import { createClient } from './client.ts';
import type { Client, Reply } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { MailReader } from './mail-reader.ts';
import { isSuccess } from './operations/operation.ts';
import type { AdminClient, TestAccount, TestOperation, TestProduct, VirtualUser } from './operations/operation.ts';
import { randomOf } from './random.ts';
import type { Random } from './random.ts';

export interface LoadOptions {
  readonly seed: number;
  readonly users: number;
  /** Makes the users of this load different from those of other loads on the same system. */
  readonly stream: string;
  readonly gateways: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string };
  readonly operations: readonly TestOperation[];
  readonly ledger: Ledger;
  readonly mails: MailReader;
  /** Called before each operation. */
  readonly shouldContinue: () => boolean;
}

/** Virtual users make calls in parallel until `shouldContinue` returns false. Returns statistics of the calls. */
export async function load(options: LoadOptions): Promise<Client['stats']> {
  const { seed, gateways } = options;
  const client = createClient(gateways, randomOf(seed, 'gateways'));
  const admin = createAdmin(client, options.administrator);
  const products: TestProduct[] = [];
  const users = Array.from({ length: options.users }, (_, at): VirtualUser => {
    const name = `${options.stream}-u${at + 1}`;
    let count = 0;
    return {
      name,
      random: randomOf(seed, name),
      client,
      mails: options.mails,
      accounts: [],
      admin,
      products,
      unique: (what) => `${what}-${seed}-${name}-${(count += 1)}`,
    };
  });
  await Promise.all(users.map((user) => work(user, options)));
  return client.stats;
}

async function work(user: VirtualUser, { operations, ledger, shouldContinue }: LoadOptions): Promise<void> {
  while (shouldContinue()) {
    const { operation, account, product } = choose(user, operations);
    const entry = ledger.begin(operation.name);
    if (operation.needs?.account) entry.about(account.email);
    await operation.run(user, entry, account, product).catch((error: unknown) => {
      throw new Error(`${entry.name} of ${user.name} failed with an unexpected error`, { cause: error });
    });
  }
}

function choose({ random, accounts, products }: VirtualUser, operations: readonly TestOperation[]) {
  // A limit, so that choosing does not become slow with thousands of accounts.
  const recent = accounts.slice(-40);
  const possible = operations
    .map((operation) => ({ operation, fitting: recent.filter(operation.needs?.account ?? (() => false)) }))
    .filter(({ operation: { needs }, fitting }) => !needs?.account || fitting.length > 0)
    .filter(({ operation: { needs } }) => !needs?.product || products.length > 0);
  const { operation, fitting } = pickWeighted(random, possible);
  return {
    operation,
    account: fitting.length > 0 ? random.pick(fitting) : ({} as TestAccount),
    product: products.length > 0 ? random.pick(products) : ({} as TestProduct),
  };
}

function pickWeighted<Item extends { operation: TestOperation }>(random: Random, items: readonly Item[]): Item {
  let left = random.next() * items.reduce((sum, { operation }) => sum + operation.weight, 0);
  const found = items.find(({ operation }) => (left -= operation.weight) < 0) ?? items[0];
  if (!found) throw new RangeError('no operation is possible');
  return found;
}

/** Calls as the administrator. `once` makes one try at one gateway. */
export function createAdmin(
  client: Client,
  { email, password }: LoadOptions['administrator'],
): AdminClient & { once(gateway: string, method: string, path: string, call?: { body?: object }): Promise<Reply> } {
  let token: Promise<string | undefined> | undefined;
  const logIn = async () => {
    const reply = await client.call('POST', '/v1/auth/login', { body: { email, password } });
    return isSuccess(reply) ? (reply.body.accessToken as string) : undefined;
  };
  async function withToken(send: (token: string | undefined) => Promise<Reply>): Promise<Reply> {
    token ??= logIn();
    const used = token;
    const reply = await send(await used);
    // The next call logs in again. Concurrent calls share that login.
    if (reply.status === 401 && token === used) token = undefined;
    return reply;
  }
  return {
    call: (method, path, call = {}) => withToken((used) => client.call(method, path, { ...call, token: used })),
    once: (gateway, method, path, call = {}) =>
      withToken((used) => client.once(gateway, method, path, { ...call, token: used })),
  };
}
