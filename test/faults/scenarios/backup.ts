import { join } from 'node:path';
import { brokerToFill, brokerToRead, openDatabases, restoreBackup, takeBackup } from '@storefront/operations';
import { createClient, isSuccess } from '../client.ts';
import type { FinalState } from '../final-state.ts';
import { createLedger } from '../ledger.ts';
import { load } from '../load.ts';
import { operations } from '../operations/index.ts';
import { register } from '../operations/registration.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import { openOrders } from './backup-orders.ts';
import type { Scenario } from './scenario.ts';

const late = 'backup-late';
const ordersOfEach = 30;

/**
 * A backup while the system is in use and events are on their way, more use, then the loss of everything: database and
 * broker are emptied and filled from the backup. All that was acknowledged before the backup began is there again, with
 * all that follows from it; nothing is that was begun after it had ended; every order is whole once the order system
 * has published it again; and the system goes on.
 */
export const backup: Scenario = async (rig, { seed, users, full, say }) => {
  const { system, ledger, mails } = rig;
  const { mongodb, amqp } = system.backing.direct;
  const size = full ? 1_000 : 150;
  const use = (stream: string, count: number, more: { ledger?: typeof ledger; only?: typeof operations } = {}) => {
    const own = more.ledger ?? ledger;
    const until = own.begun + count;
    return load({
      seed,
      users: Math.ceil(users / 2),
      ledger: own,
      mails,
      stream,
      operations: more.only ?? operations,
      gateways: system.stack.gateways,
      administrator: system.stack.admin,
      shouldContinue: () => own.begun < until,
    });
  };
  const client = createClient(system.stack.gateways, randomOf(seed, 'backup'));
  const administrator = await client.call('POST', '/v1/auth/login', { body: system.stack.admin });

  const orders = await openOrders(system, rig.mongodb, seed);

  say(`${size} operations, a backup during others, and ${size / 2} more`);
  const stats = [await use('backup-before', size)];
  await orders.place(ordersOfEach, 'until backup');
  // Events wait in their queues at the moment of the backup, however long that takes.
  const halted = Object.entries(system.stack.processes()).filter(([name]) => /^(engagement|billing)/.test(name));
  for (const [, pid] of halted) process.kill(pid, 'SIGSTOP');
  stats.push(await use('backup-just-before', 40, { only: [register] }));
  await orders.place(ordersOfEach, 'until backup');
  const databases = await openDatabases(databasesOf(mongodb));
  const folder = join(system.dataDir, 'backup');
  try {
    const besides = use('backup-meanwhile', size, { ledger: createLedger() });
    const ordersBesides = orders.place(ordersOfEach, 'until backup');
    const manifest = await takeBackup({
      databases,
      broker: brokerToRead(amqp, say),
      folder,
      eventMinutes: 60,
      say: () => undefined,
    });
    say(`The backup has ${manifest.events.documents} events`);
    for (const [, pid] of halted) process.kill(pid, 'SIGCONT');
    await ordersBesides;
    stats.push(await besides, await use(late, size / 2, { ledger: createLedger() }));
    await orders.place(ordersOfEach, 'late');
    await mails.catchUp();

    say('Everything is lost; restoring');
    await system.stack.stop();
    await restoreBackup({
      folder,
      databases,
      broker: brokerToFill(amqp, undefined),
      force: true,
      say: () => undefined,
    });
  } finally {
    await databases.close();
  }
  const restoredAt = Date.now();
  await system.replaceStack(await system.startBeside());
  const answer = await createClient(system.stack.gateways, randomOf(seed, 'token')).call('GET', '/v1/users/me', {
    token: administrator.body?.accessToken,
  });
  await orders.publishAgain();
  stats.push(await use('backup-after', size));
  const sum = (of: 'tries' | 'unanswered' | 'serverErrors') => stats.reduce((total, each) => total + each[of], 0);
  return {
    stats: {
      tries: sum('tries'),
      unanswered: sum('unanswered'),
      serverErrors: sum('serverErrors'),
      statuses: new Map(),
    },
    faults: halted.length,
    restoredAt,
    facts: [{ what: 'acceptances of a token from before the restore', found: Number(isSuccess(answer)), atMost: 0 }],
    finalFacts: async (finalState) => [
      await traces(finalState),
      await halfWelcomed(finalState),
      ...(await orders.facts(finalState)),
    ],
  };
};

/** The address for the commands: a name in its path stands before the names of the databases. */
function databasesOf(mongodb: string): string {
  const address = new URL(mongodb);
  address.pathname = '/storefront_';
  return address.href;
}

/** What there is of people who registered after the backup. */
async function traces(finalState: FinalState): Promise<MeasuredFact> {
  const email = { $regex: `-${late}-` };
  const counts = await Promise.all([
    finalState.count('identity', 'users', { email }),
    finalState.count('identity', 'registrations', { email }),
    finalState.count('engagement', 'deliveries', { email }),
    finalState.count('engagement', 'recipients', { email }),
  ]);
  return {
    what: 'users, registrations, mails and recipients of people who came after the backup',
    found: counts.reduce((total, each) => total + each, 0),
    atMost: 0,
  };
}

/** Users of any time, also of that of the backup: who is verified has been welcomed once. */
async function halfWelcomed(finalState: FinalState): Promise<MeasuredFact> {
  const verified = await finalState.find('identity', 'users', { role: 'retail', status: 'active', deletedAt: null });
  const half = verified.filter(({ _id }) => finalState.notifications(String(_id), 'welcome') !== 1);
  return {
    what: `users, of ${verified.length}, who are verified and not welcomed once`,
    found: half.length,
    atMost: 0,
  };
}
