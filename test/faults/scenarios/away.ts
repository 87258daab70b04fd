import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../client.ts';
import { countLeftovers, sumOf, untilDrained } from '../drained.ts';
import { load } from '../load.ts';
import { operations } from '../operations/index.ts';
import { password, register } from '../operations/registration.ts';
import { randomOf } from '../random.ts';
import type { Scenario } from './scenario.ts';

const shortMs = 8000;
const backWithinMs = 5000;
const mailedWithinMs = 30_000;

/** The broker is away: every write succeeds all the same, and the mails leave soon after its return. */
export const brokerAway: Scenario = async (stage, { seed, users, full, say }) => {
  const { system, breaker, ledger, mails, mongodb } = stage;
  const ms = full ? 60_000 : shortMs;
  say(`The broker is away for ${ms / 1000} s`);
  let returnedAt = Number.POSITIVE_INFINITY;
  const away = breaker.strike({ kind: 'away', target: 'rabbitmq', ms }).then(() => (returnedAt = Date.now()));
  const stats = await load({
    seed,
    users: Math.min(users, 4),
    ledger,
    mails,
    stream: 'broker-away',
    operations: [register],
    gateways: system.stack.gateways,
    administrator: system.stack.admin,
    goOn: () => Date.now() < returnedAt,
  });
  await away;
  const waiting = sumOf(await countLeftovers(mongodb, system.backing.direct.amqp));
  const { left } = await untilDrained(mongodb, system.backing.direct.amqp, 60_000);
  await mails.catchUp();
  const lastMailAt = Math.max(...mails.all().map(({ arrivedAt }) => arrivedAt));
  return {
    stats,
    faults: 1,
    facts: [
      {
        what: 'writes that were not answered with success while the broker was away',
        found: failures(stats),
        atMost: 0,
      },
      { what: 'events and mails that waited for its return', found: waiting },
      {
        what: 'ms from its return until every mail had left',
        found: left.pendingMails === 0 ? lastMailAt - returnedAt : Number.POSITIVE_INFINITY,
        atMost: mailedWithinMs,
        isTime: true,
      },
    ],
  };
};

/** The database is away: a 503 that says when to come again, and all is well soon after its return. */
export const databaseAway: Scenario = async ({ system, breaker, ledger, mails }, { seed, users, full, say }) => {
  const ms = full ? 20_000 : shortMs;
  say(`The database is away for ${ms / 1000} s`);
  const { gateways, admin: administrator } = system.stack;
  const client = createClient(gateways, randomOf(seed, 'probe'));
  let returnedAt = Number.POSITIVE_INFINITY;
  const probes: Probe[] = [];
  const isBack = () => probes.some(({ began, status }) => began > returnedAt && status === 401);

  const away = wait(1000).then(async () => {
    await breaker.strike({ kind: 'away', target: 'mongodb', ms });
    returnedAt = Date.now();
  });
  const probing = (async () => {
    const asked: Promise<void>[] = [];
    while (!isBack() && !(Date.now() > returnedAt + 30_000)) {
      asked.push(ask(asked.length));
      await wait(250);
    }
    await Promise.all(asked);
  })();
  async function ask(turn: number): Promise<void> {
    const began = Date.now();
    // Another one each time: nobody is to be locked out.
    const body = { email: `nobody-${turn}@example.com`, password };
    const { status, retryAfterMs } = await client.once(gateways[0] ?? '', 'POST', '/v1/auth/login', { body });
    probes.push({ began, ended: Date.now(), status, saysWhen: retryAfterMs > 0 });
  }

  let isOver = false;
  void probing.then(() => (isOver = true));
  const stats = await load({
    seed,
    users: Math.min(users, 4),
    ledger,
    mails,
    stream: 'database-away',
    operations,
    gateways,
    administrator,
    goOn: () => !isOver,
  });
  await Promise.all([away, probing]);
  const { at: leftAt = Number.NaN } = breaker.kills().findLast(({ target }) => target === 'mongodb') ?? {};
  // From half a second after its death, when everybody has noticed.
  const meanwhile = probes.filter(({ began, ended }) => began > leftAt + 500 && ended < leftAt + ms);
  const refused = meanwhile.filter(({ status, saysWhen }) => status === 503 && saysWhen);
  const slowest = Math.max(0, ...refused.map(({ began, ended }) => ended - began));
  const first = Math.min(
    ...probes.filter(({ ended, status }) => ended > returnedAt && status === 401).map(({ ended }) => ended),
  );
  return {
    stats,
    faults: 1,
    facts: [
      { what: 'answers while the database was away that were 503 with Retry-After', found: refused.length },
      { what: 'other answers then', found: meanwhile.length - refused.length, atMost: 0 },
      { what: 'ms that the slowest of them took', found: Math.round(slowest) },
      {
        what: 'ms from its return to the first success',
        found: Math.round(first - returnedAt),
        atMost: backWithinMs,
        isTime: true,
      },
    ],
  };
};

interface Probe {
  readonly began: number;
  readonly ended: number;
  readonly status: number;
  readonly saysWhen: boolean;
}

function failures({ statuses, unanswered }: { statuses: ReadonlyMap<string, number>; unanswered: number }): number {
  return [...statuses].reduce((sum, [status, count]) => sum + (status.startsWith('2') ? 0 : count), unanswered);
}
