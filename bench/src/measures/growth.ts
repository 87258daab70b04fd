import { newId } from '@storefront/contracts';
import { logIn } from '../api.ts';
import { addNotifications } from '../fill/notifications.ts';
import { copyUsers } from '../fill/users.ts';
import type { NewAccount } from '../fill/users.ts';
import type { Lab } from '../lab.ts';
import { load } from '../load/load.ts';
import type { LoadResult, Request } from '../load/plan.ts';
import type { Line } from '../report.ts';

const small = { users: 10_000, notifications: 10_000 };
const large = { users: 100_000, notifications: 1_000_000 };
// As many for each reader at both sizes, so that only the size of the whole grows.
const notificationsEach = 20;
const readers = 8;
const goal = 1.5;
const batch = 5000;

/** The list reads when there is little, and when there is a lot: nobody should notice. */
export async function measureGrowth(lab: Lab): Promise<Line[]> {
  const { gateways, accounts } = await lab.separate();
  const [gateway = ''] = gateways;
  const ids: string[] = [];

  async function fillTo({ users, notifications }: typeof small): Promise<void> {
    lab.say(`Filling up to ${users} users and ${notifications} notifications …`);
    while (ids.length < users) {
      const people = Array.from({ length: batch }, (_, at) => accountOf(ids.length + at));
      await copyUsers(lab, accounts.retail.email, people);
      ids.push(...people.map(({ id }) => id));
      if (ids.length % 25_000 === 0) lab.say(`  ${ids.length} of ${users} users`);
    }
    const withNotes = notifications / notificationsEach;
    const before = users === small.users ? 0 : small.notifications / notificationsEach;
    await addNotifications(lab, { readers: ids.slice(before, withNotes), each: notificationsEach });
  }

  async function measure(path: string, tokens: readonly string[]): Promise<LoadResult> {
    const clients = tokens.map((token): Request[] => [
      { method: 'GET', path, headers: { authorization: `Bearer ${token}` } },
    ]);
    await load({ url: gateway, seconds: 2, clients });
    return load({ url: gateway, seconds: lab.options.seconds, clients });
  }

  const reads = {
    'list of notifications': async () => {
      const tokens = Array.from({ length: readers }, (_, at) =>
        logIn(gateway, { email: emailOf(at), password: accounts.retail.password }),
      );
      return measure('/v1/notifications?limit=20', await Promise.all(tokens));
    },
    'list of trade accounts': async () => {
      const token = await logIn(gateway, accounts.admin);
      return measure(
        '/v1/trade-accounts?limit=20',
        Array.from({ length: readers }, () => token),
      );
    },
  };
  const measureAll = async () => {
    const found = new Map<string, LoadResult>();
    for (const [what, read] of Object.entries(reads)) found.set(what, await read());
    return found;
  };

  await fillTo(small);
  const before = await measureAll();
  await fillTo(large);
  const after = await measureAll();
  return [...after].flatMap(([what, { p50, p99, requests, seconds }]): Line[] => {
    const earlier = before.get(what);
    const ratio = p99 / (earlier?.p99 ?? Number.NaN);
    return [
      {
        what: `${what}, at ${large.users} users and ${large.notifications} notifications`,
        result: `p99 × ${ratio.toFixed(2)}`,
        goal: `≤ × ${goal}`,
        met: ratio <= goal,
        perSecond: requests / seconds,
        p50,
        p99,
      },
      {
        what: `  at ${small.users} and ${small.notifications}`,
        ...(earlier && { perSecond: earlier.requests / earlier.seconds, p50: earlier.p50, p99: earlier.p99 }),
      },
    ];
  });
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
