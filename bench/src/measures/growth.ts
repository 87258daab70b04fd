import { newId } from '@storefront/contracts';
import { logIn } from '../api.ts';
import { addNotifications } from '../fill/notifications.ts';
import { addOrders, filledGuest, filledNumber } from '../fill/orders.ts';
import { addRecipients } from '../fill/recipients.ts';
import { addRedemptions } from '../fill/redemptions.ts';
import { addShop, filledCategory, pricesOf, searchedWords, shownCounts } from '../fill/shop.ts';
import { copyUsers, type NewAccount } from '../fill/users.ts';
import type { BenchContext } from '../context.ts';
import { load } from '../load/load.ts';
import type { LoadRequest, LoadResult } from '../load/plan.ts';
import { lowerQuartiles } from '../percentiles.ts';
import type { ReportLine } from '../report.ts';
import type { StackProcess } from '../system/stack-process.ts';

interface Size {
  readonly name: string;
  /** The number of notifications, of codes of a campaign and of orders. */
  readonly notifications: number;
  /** The number of users, of saved recipients, of categories, of products and of redemptions. */
  readonly others: number;
}

const small: Size = { name: '10,000 of each', notifications: 10_000, others: 10_000 };
const large: Size = {
  name: '100,000 of each, 1,000,000 notifications, codes and orders',
  notifications: 1_000_000,
  others: 100_000,
};

// A reader has the same number of notifications at both sizes, but all saved recipients, redemptions and orders belong to the readers,
// so that the lists of these grow with the size.
const notificationsEach = 20;
const readers = 8;
// Other programs on the machine only ever slow a measurement down. So both sizes are measured in alternation, and the
// lower quartile of the rounds counts.
const rounds = 9;
const secondsPerRound = 1;
// So few that clients do not wait for each other.
const clients = 2;
const usualGoal = 1.5;
// So many that two cores are busy.
const manyClients = 32;
const goalOfSearchesMs = 50;
const batchSize = 5000;

interface ListRead {
  readonly what: string;
  /** `{campaign}` stands for the campaign that was redeemed. */
  readonly path: string;
  readonly caller?: 'admin';
}

const reads: readonly ListRead[] = [
  { what: 'notifications', path: '/v1/notifications?limit=20' },
  { what: 'trade accounts', path: '/v1/trade-accounts?limit=20', caller: 'admin' },
  { what: 'saved recipients', path: '/v1/customers?limit=20' },
  { what: 'saved recipients that begin with a letter', path: '/v1/customers?limit=20&q=r' },
  { what: 'saved recipients by a name', path: '/v1/customers?limit=20&q=robin%20reader777' },
  { what: 'categories', path: '/v1/categories?limit=20' },
  { what: 'products', path: '/v1/products?limit=20' },
  { what: 'products of a category', path: `/v1/products?limit=20&category=${filledCategory}` },
  { what: 'products with two words', path: `/v1/products?limit=20&q=${encodeURIComponent(searchedWords)}` },
  { what: 'products by the beginning of a word', path: '/v1/products?limit=20&q=gre%20mu' },
  { what: 'products by a word with a wrong letter', path: '/v1/products?limit=20&q=grene%20lamp' },
  {
    what: 'products with two attributes',
    path: '/v1/products?limit=20&attr.colour=red&attr.maker=Maker%207,Maker%2010',
  },
  { what: 'products in stock, by name', path: '/v1/products?limit=20&inStock=true&sort=name' },
  { what: 'products between prices that a tenth has', path: `/v1/products?limit=20&${pricesOf(0.1)}` },
  { what: 'products between prices that a hundredth has', path: `/v1/products?limit=20&${pricesOf(0.01)}` },
  { what: 'products by price', path: '/v1/products?limit=20&sort=price' },
  { what: 'own redemptions', path: '/v1/discounts/redemptions?limit=20' },
  { what: 'all redemptions', path: '/v1/discounts/redemptions?limit=20', caller: 'admin' },
  {
    what: 'redemptions of a campaign',
    path: '/v1/discounts/redemptions?limit=20&campaign={campaign}',
    caller: 'admin',
  },
  { what: 'own orders', path: '/v1/orders?limit=20' },
  { what: 'all orders', path: '/v1/orders?limit=20', caller: 'admin' },
  { what: 'all orders with a status', path: '/v1/orders?limit=20&status=cancelled', caller: 'admin' },
  { what: 'orders by a number', path: `/v1/orders?limit=20&q=${filledNumber}`, caller: 'admin' },
  {
    what: 'orders by the email of a guest',
    path: `/v1/orders?limit=20&q=${encodeURIComponent(filledGuest)}`,
    caller: 'admin',
  },
  { what: 'codes of a campaign', path: '/v1/campaigns/{campaign}/codes?limit=20', caller: 'admin' },
];

// Each client has another search, so that none shares the answer of another.
const searches = Array.from({ length: manyClients }, (_, at) => {
  const filters = [
    `q=${encodeURIComponent(searchedWords)}`,
    `q=gree%20po&attr.size=${at % 12}`,
    `category=${filledCategory}&inStock=true`,
    `q=grene&attr.colour=green,red&${pricesOf(0.1)}`,
  ];
  return `/v1/products?limit=${20 + Math.floor(at / filters.length)}&${filters[at % filters.length]}&${shownCounts}`;
});

/** Compares the lists of a system with few documents and of one with many. */
export async function measureGrowth(context: BenchContext): Promise<ReportLine[]> {
  const systems = [await startFilled(context, small), await startFilled(context, large)] as const;
  const lines: ReportLine[] = [];
  for (const read of reads) {
    context.say(`List of ${read.what} …`);
    for (const system of systems) await loadList(system, read);
    const results = new Map(systems.map((system) => [system, [] as LoadResult[]]));
    for (let round = 0; round < rounds; round += 1)
      for (const system of round % 2 === 0 ? systems : systems.toReversed())
        results.get(system)?.push(await loadList(system, read));
    const [atSmall, atLarge] = systems.map((system) => lowerQuartiles(results.get(system) ?? []));
    if (!atSmall || !atLarge) throw new Error('both sizes must have been measured');
    const ratio = atLarge.p99 / atSmall.p99;
    const result = { result: `p99 × ${ratio.toFixed(2)}`, goal: `≤ × ${usualGoal}`, met: ratio <= usualGoal };
    lines.push({ what: `list of ${read.what}, with ${large.name}`, ...result, ...atLarge });
    lines.push({ what: `  with ${small.name}`, ...atSmall });
  }
  lines.push(await measureSearches(context, systems[1]));
  for (const { stack } of systems) await stack.stop();
  return lines;
}

/** Searches with facets and counts, as many at once as keep the machine busy. */
async function measureSearches(context: BenchContext, { url, tokens }: FilledSystem): Promise<ReportLine> {
  context.say('Searches with facets …');
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const clientsOf = searches.map((path): LoadRequest[] => [{ method: 'GET', path, headers }]);
  const results: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1)
    results.push(await load({ url, seconds: secondsPerRound, clients: clientsOf }));
  const result = lowerQuartiles(results);
  return {
    what: `search with facets, ${manyClients} clients, with ${large.name}`,
    result: `p99 ${result.p99.toFixed(1)} ms`,
    goal: `≤ ${goalOfSearchesMs} ms`,
    met: result.p99 <= goalOfSearchesMs,
    ...result,
  };
}

interface FilledSystem {
  readonly stack: StackProcess;
  readonly url: string;
  readonly tokens: readonly string[];
  readonly adminToken: string;
  readonly campaignId: string;
}

/** Starts a system with databases of its own and fills it up to the size. */
async function startFilled(context: BenchContext, { name, notifications, others }: Size): Promise<FilledSystem> {
  const { mongodb } = await context.backing();
  const database = `bench-${others}`;
  const stack = await context.startStack(['--bus', 'in-process'], { database, url: mongodb.url });
  context.say(`Filling it up to ${name} …`);
  const { accounts } = stack;
  const ids: string[] = [];
  while (ids.length < others) {
    const people = Array.from({ length: batchSize }, (_, at) => accountOf(ids.length + at));
    await copyUsers(context, accounts.retail.email, people, database);
    ids.push(...people.map(({ id }) => id));
  }
  const notified = ids.slice(0, notifications / notificationsEach);
  await addNotifications(context, { readers: notified, each: notificationsEach, prefix: database });
  await addRecipients(context, { owners: ids.slice(0, readers), count: others, prefix: database });
  await addShop(context, { count: others, prefix: database });
  await addOrders(context, { owners: ids.slice(0, readers), count: notifications, prefix: database });
  const redeemed = { owners: ids.slice(0, readers), count: others, codes: notifications };
  const campaignId = await addRedemptions(context, stack, redeemed);
  const [url = ''] = stack.gateways;
  const { password } = accounts.retail;
  const tokens = Array.from({ length: readers }, (_, at) => logIn(url, { email: emailOf(at), password }));
  return { stack, url, tokens: await Promise.all(tokens), adminToken: await logIn(url, accounts.admin), campaignId };
}

function loadList(
  { url, tokens, adminToken, campaignId }: FilledSystem,
  { path, caller }: ListRead,
): Promise<LoadResult> {
  const requests = (caller === 'admin' ? [adminToken] : tokens).map((token): LoadRequest => ({
    method: 'GET',
    path: path.replace('{campaign}', campaignId),
    headers: { authorization: `Bearer ${token}` },
  }));
  return load({ url, seconds: secondsPerRound, clients: Array.from({ length: clients }, () => requests) });
}

function accountOf(at: number): NewAccount {
  const account = { id: newId('user'), email: emailOf(at) };
  if (at % 10 !== 9) return account;
  const trade = {
    businessName: `Business ${at}`,
    businessAddress: 'Pier 4, Amsterdam',
    referralCode: null,
    vatNumber: null,
    country: 'NL',
    companyRegistration: null,
    submittedAt: new Date(Date.now() - at * 1000),
    timeline: [],
  };
  return { ...account, role: 'trade', status: 'approved', trade };
}

function emailOf(at: number): string {
  return `grown-${at}@bench.example.com`;
}
