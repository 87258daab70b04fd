import { createAdmin } from './admin.ts';
import type { TestAnalytics } from './analytics/analytics.ts';
import { createClient, type Client } from './client.ts';
import type { TestDiscounts } from './discounts/discounts.ts';
import type { TestInvoices } from './invoices/invoices.ts';
import type { Ledger } from './ledger.ts';
import type { MailReader } from './mail-reader.ts';
import type { TestOrders } from './orders/orders.ts';
import { recentlySent, type SentOrder } from './orders/sent-order.ts';
import type { TestAccount, TestOperation, TestProduct, VirtualUser } from './operations/operation.ts';
import { randomOf, type Random } from './random.ts';

export interface LoadOptions {
  readonly seed: number;
  readonly users: number;
  /** Makes the users of this load different from those of other loads on the same system. */
  readonly stream: string;
  readonly gateways: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string };
  /** What there is to do. Read before each operation. */
  readonly operations: readonly TestOperation[];
  readonly ledger: Ledger;
  readonly mails: MailReader;
  readonly discounts?: TestDiscounts;
  readonly invoices?: TestInvoices;
  readonly orders?: TestOrders;
  readonly analytics?: TestAnalytics;
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
      discounts: options.discounts,
      invoices: options.invoices,
      orders: options.orders,
      analytics: options.analytics,
      guestOrders: [],
      unique: (what) => `${what}-${seed}-${name}-${(count += 1)}`,
    };
  });
  await Promise.all(users.map((user) => work(user, options)));
  return client.stats;
}

async function work(user: VirtualUser, options: LoadOptions): Promise<void> {
  const { ledger } = options;
  while (options.shouldContinue()) {
    const { operation, account, product } = choose(user, options.operations, ledger);
    const entry = ledger.begin(operation.name);
    if (operation.needs?.account) entry.about(account.email);
    await operation.run(user, entry, account, product).catch((error: unknown) => {
      throw new Error(`${entry.name} of ${user.name} failed with an unexpected error`, { cause: error });
    });
  }
}

function choose(
  { random, accounts, products, discounts, invoices, orders, analytics }: VirtualUser,
  operations: readonly TestOperation[],
  { acknowledgedKinds }: Ledger,
) {
  // A limit, so that choosing does not become slow with thousands of accounts.
  const recent = accounts.slice(-40);
  const possible = operations
    .map((operation) => ({ operation, fitting: recent.filter(operation.needs?.account ?? (() => false)) }))
    .filter(({ operation: { needs }, fitting }) => !needs?.account || fitting.length > 0)
    .filter(({ operation: { needs } }) => !needs?.product || products.length > 0)
    .filter(({ operation: { needs } }) => !needs?.discounts || discounts !== undefined)
    .filter(({ operation: { needs } }) => !needs?.invoices || invoices !== undefined)
    .filter(({ operation: { needs } }) => !needs?.orders || hasOrder(orders, needs.orders))
    .filter(({ operation: { needs } }) => !needs?.analytics || analytics !== undefined);
  // So that a short run has every operation, also those that are seldom possible.
  const never = possible.filter(({ operation: { name } }) => !acknowledgedKinds.has(name));
  const isNeverPreferred = random.next() < 0.5 && never.length > 0;
  const { operation, fitting } = pickWeighted(random, isNeverPreferred ? never : possible);
  return {
    operation,
    account: fitting.length > 0 ? random.pick(fitting) : ({} as TestAccount),
    product: products.length > 0 ? random.pick(products) : ({} as TestProduct),
  };
}

function hasOrder(orders: TestOrders | undefined, isFitting: true | ((order: SentOrder) => boolean)): boolean {
  if (orders === undefined || isFitting === true) return orders !== undefined;
  return recentlySent(orders).some(isFitting);
}

function pickWeighted<Item extends { operation: TestOperation }>(random: Random, items: readonly Item[]): Item {
  let left = random.next() * items.reduce((sum, { operation }) => sum + operation.weight, 0);
  const found = items.find(({ operation }) => (left -= operation.weight) < 0) ?? items[0];
  if (!found) throw new RangeError('no operation is possible');
  return found;
}
