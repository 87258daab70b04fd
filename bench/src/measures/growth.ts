import { newId } from '@storefront/contracts';
import { logIn } from '../api.ts';
import { addNotifications } from '../fill/notifications.ts';
import { addRecipients } from '../fill/recipients.ts';
import { addShop, filledCategory, pricesOf, searchedWords } from '../fill/shop.ts';
import { copyUsers } from '../fill/users.ts';
import type { NewAccount } from '../fill/users.ts';
import type { Lab } from '../lab.ts';
import { load } from '../load/load.ts';
import type { LoadResult, Request } from '../load/plan.ts';
import type { Line } from '../report.ts';
import type { RunningStack } from '../system/start-stack.ts';

interface Size {
  readonly name: string;
  readonly notifications: number;
  /** As many users, saved recipients, categories and products. */
  readonly others: number;
}

const small: Size = { name: '10,000 of all', notifications: 10_000, others: 10_000 };
const large: Size = { name: '100,000 of all, 1,000,000 notifications', notifications: 1_000_000, others: 100_000 };

// Each notified user has as many at both sizes. All recipients are the readers': for a list the hardest way to grow.
const notificationsEach = 20;
const readers = 8;
// What the machine does beside this comes and goes, and only ever adds: both sizes are asked in turns, and the turn counts
// that a quarter of them were quicker than.
const turns = 9;
const secondsEach = 1;
// So few that nobody waits for somebody else, which would be measured with it.
const clients = 2;
const goal = 1.5;
const batch = 5000;

const reads: readonly { readonly what: string; readonly path: string; readonly by?: 'admin' }[] = [
  { what: 'notifications', path: '/v1/notifications?limit=20' },
  { what: 'trade accounts', path: '/v1/trade-accounts?limit=20', by: 'admin' },
  { what: 'saved recipients', path: '/v1/customers?limit=20' },
  { what: 'saved recipients that begin with a letter', path: '/v1/customers?limit=20&q=r' },
  { what: 'saved recipients by a name', path: '/v1/customers?limit=20&q=robin%20reader777' },
  { what: 'categories', path: '/v1/categories?limit=20' },
  { what: 'products', path: '/v1/products?limit=20' },
  { what: 'products of a category', path: `/v1/products?limit=20&category=${filledCategory}` },
  { what: 'products with two words', path: `/v1/products?limit=20&q=${encodeURIComponent(searchedWords)}` },
  { what: 'products between prices that a tenth has', path: `/v1/products?limit=20&${pricesOf(0.1)}` },
  { what: 'products between prices that a hundredth has', path: `/v1/products?limit=20&${pricesOf(0.01)}` },
  { what: 'products by price', path: '/v1/products?limit=20&sort=price' },
];

/** The list reads of a system that holds little, and of one that holds a lot: nobody should notice. */
export async function measureGrowth(lab: Lab): Promise<Line[]> {
  const systems = [await grown(lab, small), await grown(lab, large)] as const;
  const lines: Line[] = [];
  for (const read of reads) {
    lab.say(`List of ${read.what} …`);
    for (const system of systems) await ask(system, read);
    const asked = new Map(systems.map((system) => [system, [] as LoadResult[]]));
    for (let turn = 0; turn < turns; turn += 1)
      for (const system of turn % 2 === 0 ? systems : systems.toReversed())
        asked.get(system)?.push(await ask(system, read));
    const [before, after] = systems.map((system) => quietestOf(asked.get(system) ?? []));
    if (!before || !after) throw new Error('both sizes must have been asked');
    const ratio = after.p99 / before.p99;
    const result = { result: `p99 × ${ratio.toFixed(2)}`, goal: `≤ × ${goal}`, met: ratio <= goal };
    lines.push({ what: `list of ${read.what}, at ${large.name}`, ...result, ...after });
    lines.push({ what: `  at ${small.name}`, ...before });
  }
  for (const { stack } of systems) await stack.stop();
  return lines;
}

interface Grown {
  readonly stack: RunningStack;
  readonly url: string;
  readonly tokens: readonly string[];
  readonly adminToken: string;
}

/** A system of its own that holds so much. */
async function grown(lab: Lab, { name, notifications, others }: Size): Promise<Grown> {
  const { mongodb } = await lab.backing();
  const database = `bench-${others}`;
  const stack = await lab.start(['--bus', 'in-process'], { database, url: mongodb.url });
  lab.say(`Filling it up to ${name} …`);
  const { accounts } = stack;
  const ids: string[] = [];
  while (ids.length < others) {
    const people = Array.from({ length: batch }, (_, at) => accountOf(ids.length + at));
    await copyUsers(lab, accounts.retail.email, people, database);
    ids.push(...people.map(({ id }) => id));
  }
  const notified = ids.slice(0, notifications / notificationsEach);
  await addNotifications(lab, { readers: notified, each: notificationsEach, system: database });
  await addRecipients(lab, { owners: ids.slice(0, readers), count: others, system: database });
  await addShop(lab, { count: others, system: database });
  const [url = ''] = stack.gateways;
  const { password } = accounts.retail;
  const tokens = Array.from({ length: readers }, (_, at) => logIn(url, { email: emailOf(at), password }));
  return { stack, url, tokens: await Promise.all(tokens), adminToken: await logIn(url, accounts.admin) };
}

function ask({ url, tokens, adminToken }: Grown, { path, by }: (typeof reads)[number]): Promise<LoadResult> {
  const requests = (by === 'admin' ? [adminToken] : tokens).map((token): Request => ({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  }));
  return load({ url, seconds: secondsEach, clients: Array.from({ length: clients }, () => requests) });
}

/** Of each figure the one that a quarter of the turns were better than. */
function quietestOf(results: readonly LoadResult[]): { perSecond: number; p50: number; p99: number } {
  const quarter = (figures: number[]) => figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 4)];
  return {
    perSecond: 1 / (quarter(results.map(({ requests, seconds }) => seconds / requests)) ?? Number.NaN),
    p50: quarter(results.map(({ p50 }) => p50)) ?? Number.NaN,
    p99: quarter(results.map(({ p99 }) => p99)) ?? Number.NaN,
  };
}

function accountOf(at: number): NewAccount {
  const account = { id: newId('user'), email: emailOf(at) };
  if (at % 10 !== 9) return account;
  const trade = {
    businessName: `Business ${at}`,
    businessAddress: 'Pier 4, Amsterdam',
    referralCode: null,
    vatNumber: null,
    companyRegistration: null,
    submittedAt: new Date(Date.now() - at * 1000),
    timeline: [],
  };
  return { ...account, role: 'trade', status: 'approved', trade };
}

function emailOf(at: number): string {
  return `grown-${at}@bench.example.com`;
}
