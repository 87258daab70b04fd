import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../client.ts';
import { countLeftovers, sumOf, untilDrained } from '../drained.ts';
import { load } from '../load.ts';
import { operations } from '../operations/index.ts';
import { password, register } from '../operations/registration.ts';
import { randomOf } from '../random.ts';
import type { Scenario } from './scenario.ts';

const shortOutageMs = 5000;
/** More of them leave so many mails behind that two cores are busy with them for most of a minute. */
const shortUsers = 2;
const backWithinMs = 5000;
const mailedWithinMs = 30_000;

/** An outage of the broker: every write still succeeds, and the mails are sent soon after the broker is back. */
export const brokerOutage: Scenario = async (rig, { seed, users, full, say }) => {
  const { system, injector, ledger, mails, mongodb } = rig;
  const ms = full ? 60_000 : shortOutageMs;
  say(`Outage of the broker for ${ms / 1000} s`);
  let returnedAt = Number.POSITIVE_INFINITY;
  const outage = injector.inject({ kind: 'outage', target: 'rabbitmq', ms }).then(() => (returnedAt = Date.now()));
  const stats = await load({
    seed,
    users: Math.min(users, full ? 4 : shortUsers),
    ledger,
    mails,
    stream: 'broker-away',
    operations: [register],
    gateways: system.stack.gateways,
    administrator: system.stack.admin,
    shouldContinue: () => Date.now() < returnedAt,
  });
  await outage;
  const waiting = sumOf(await countLeftovers(mongodb, system.backing.direct.amqp));
  const { left } = await untilDrained(mongodb, system.backing.direct.amqp, 60_000);
  await mails.catchUp();
  const lastMailAt = Math.max(...mails.all().map(({ arrivedAt }) => arrivedAt));
  return {
    stats,
    faults: 1,
    facts: [
      {
        what: 'writes that failed during the outage of the broker',
        found: failures(stats),
        atMost: 0,
      },
      { what: 'events and mails that waited for the broker', found: waiting },
      {
        what: 'ms from the return of the broker until all mails were sent',
        found: left.pendingMails === 0 ? lastMailAt - returnedAt : Number.POSITIVE_INFINITY,
        atMost: mailedWithinMs,
      },
    ],
  };
};

/** An outage of the database: requests answer 503 with Retry-After, and work again soon after the database is back. */
export const databaseOutage: Scenario = async ({ system, injector, ledger, mails }, { seed, users, full, say }) => {
  const ms = full ? 20_000 : shortOutageMs;
  say(`Outage of the database for ${ms / 1000} s`);
  const { gateways, admin: administrator } = system.stack;
  const client = createClient(gateways, randomOf(seed, 'probe'));
  let returnedAt = Number.POSITIVE_INFINITY;
  const probes: Probe[] = [];
  const isBack = () => probes.some(({ began, status }) => began > returnedAt && status === 401);

  const outage = wait(1000).then(async () => {
    await injector.inject({ kind: 'outage', target: 'mongodb', ms });
    returnedAt = Date.now();
  });
  const probing = (async () => {
    const requests: Promise<void>[] = [];
    while (!isBack() && !(Date.now() > returnedAt + 30_000)) {
      requests.push(probe(requests.length));
      await wait(250);
    }
    await Promise.all(requests);
  })();
  async function probe(number: number): Promise<void> {
    const began = Date.now();
    // A different email each time, so that the login limits do not apply.
    const body = { email: `nobody-${number}@example.com`, password };
    const { status, retryAfterMs } = await client.once(gateways[0] ?? '', 'POST', '/v1/auth/login', { body });
    probes.push({ began, ended: Date.now(), status, hasRetryAfter: retryAfterMs > 0 });
  }

  let isOver = false;
  void probing.then(() => (isOver = true));
  const stats = await load({
    seed,
    users: Math.min(users, full ? 4 : shortUsers),
    ledger,
    mails,
    stream: 'database-away',
    operations,
    gateways,
    administrator,
    shouldContinue: () => !isOver,
  });
  await Promise.all([outage, probing]);
  const { at: killedAt = Number.NaN } = injector.kills().findLast(({ target }) => target === 'mongodb') ?? {};
  // The first half second does not count, until all services have noticed the outage.
  const duringOutage = probes.filter(({ began, ended }) => began > killedAt + 500 && ended < killedAt + ms);
  const refused = duringOutage.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
  const slowest = Math.max(0, ...refused.map(({ began, ended }) => ended - began));
  const first = Math.min(
    ...probes.filter(({ ended, status }) => ended > returnedAt && status === 401).map(({ ended }) => ended),
  );
  return {
    stats,
    faults: 1,
    facts: [
      { what: 'responses 503 with Retry-After during the outage of the database', found: refused.length },
      { what: 'other responses during the outage', found: duringOutage.length - refused.length, atMost: 0 },
      { what: 'ms of the slowest response 503', found: Math.round(slowest) },
      {
        what: 'ms from the return of the database to the first success',
        found: Math.round(first - returnedAt),
        atMost: backWithinMs,
      },
    ],
  };
};

interface Probe {
  readonly began: number;
  readonly ended: number;
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

function failures({ statuses, unanswered }: { statuses: ReadonlyMap<string, number>; unanswered: number }): number {
  return [...statuses].reduce((sum, [status, count]) => sum + (status.startsWith('2') ? 0 : count), unanswered);
}
