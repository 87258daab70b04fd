import { setTimeout as wait } from 'node:timers/promises';
import { fact, identityEvents, newId, toEvent } from '@storefront/contracts';
import { connect } from 'amqplib';
import { countLeftovers, type Leftovers } from '../drained.ts';
import { load } from '../load.ts';
import { operations } from '../operations/index.ts';
import type { Rig } from '../run.ts';
import type { Scenario } from './scenario.ts';

const exchange = 'storefront.events';
const knownQueue = 'engagement.on-user-verified';
/** Events of a later version: as many of a type, and as many with a value, that no version knows yet. */
const unknownOfEach = 3;
const unknownEvents = 2 * unknownOfEach;
const phaseMs = 10_000;
const drainMs = 120_000;

/**
 * Replaces the former version by the present one under load, while both use the same databases and broker; then runs the
 * former one beside it once more, as after a change that is taken back.
 */
export const versions: Scenario = async (rig, { seed, users, full, former, say }) => {
  const { system, ledger, mails, mongodb } = rig;
  const { amqp } = system.backing.direct;
  const ms = full ? phaseMs * 6 : phaseMs;
  const gateways = [...system.stack.gateways];
  const use = (next: readonly string[]) => void gateways.splice(0, gateways.length, ...next);

  /** Puts load on the gateways while `phases` runs. */
  async function underLoad(stream: string, phases: () => Promise<void>) {
    let isOver = false;
    const running = phases().finally(() => (isOver = true));
    const [stats] = await Promise.all([
      load({
        seed,
        users,
        ledger,
        mails,
        stream,
        operations,
        gateways,
        administrator: system.stack.admin,
        shouldContinue: () => !isOver,
      }),
      running,
    ]);
    return stats;
  }

  const before = await underLoad('versions-together', async () => {
    say('The former version alone');
    await wait(ms);
    say('The present version beside it');
    const present = await system.startBeside();
    const both = [...gateways, ...present.gateways];
    use(both);
    await limitQueue(rig);
    await publishUnknown(amqp, 'type');
    await wait(ms);
    say('The present version alone');
    use(present.gateways);
    await system.replaceStack(present);
    // Only now: a version that is older than this scenario makes a dead letter of a value that it does not know.
    await publishUnknown(amqp, 'value');
    await wait(ms);
  });
  const left = await untilOnlyUnknown(() => countLeftovers(mongodb, amqp));
  await purgeDelayed(rig);

  const after = await underLoad('versions-back', async () => {
    say('The former version beside it once more');
    const present = system.stack;
    const back = await system.startBeside(former);
    use([...present.gateways, ...back.gateways]);
    await wait(ms);
    use(present.gateways);
    await back.stop();
    await wait(ms);
  });
  const { dead } = await countLeftovers(mongodb, amqp);
  return {
    stats: {
      tries: before.tries + after.tries,
      unanswered: before.unanswered + after.unanswered,
      serverErrors: before.serverErrors + after.serverErrors,
      statuses: new Map(),
    },
    faults: 0,
    facts: [
      { what: 'dead letters while both versions ran', found: left.dead + dead, atMost: 0 },
      {
        what: 'events of a later version that wait for it',
        found: left.delayed + left.ready,
        atLeast: unknownEvents,
        atMost: unknownEvents,
      },
    ],
  };
};

/** What an operator does to a queue in use: a policy with another limit. */
async function limitQueue({ system }: Rig): Promise<void> {
  const broker = system.backing.servers.find(({ control }) => control);
  await broker?.control?.(
    'set_policy',
    'limit-of-an-operator',
    `^${knownQueue.replaceAll('.', String.raw`\.`)}$`,
    '{"max-length":100000,"overflow":"reject-publish"}',
    '--apply-to',
    'queues',
  );
}

async function publishUnknown(amqpUrl: string, unknown: 'type' | 'value'): Promise<void> {
  const broker = await connect(amqpUrl);
  try {
    const channel = await broker.createConfirmChannel();
    const unknownType = 'identity.user-greeted';
    if (unknown === 'type') await channel.bindQueue(knownQueue, exchange, unknownType);
    for (let at = 0; at < unknownOfEach; at += 1) {
      const verified = fact(identityEvents.userVerified, newId('user'), {
        email: `later-${at}@example.com`,
        firstName: 'Ada',
        lastName: 'Byron',
        role: 'retail' as const,
      });
      const event = toEvent(verified, { sequence: 1, time: new Date() });
      const later =
        unknown === 'type' ? { ...event, type: unknownType } : { ...event, data: { ...event.data, role: 'wholesale' } };
      channel.publish(exchange, later.type, Buffer.from(JSON.stringify(later)), {
        persistent: true,
        mandatory: true,
        type: later.type,
      });
    }
    await channel.waitForConfirms();
  } finally {
    await broker.close();
  }
}

/** Waits until nothing is left but the unknown events, or at most two minutes. */
async function untilOnlyUnknown(count: () => Promise<Leftovers>): Promise<Leftovers> {
  const deadline = performance.now() + drainMs;
  for (;;) {
    const left = await count();
    const others = left.outboxes + left.pendingMails + Math.max(0, left.ready + left.delayed - unknownEvents);
    if (others === 0 || performance.now() > deadline) return left;
    await wait(500);
  }
}

/** Removes the unknown events, for which no version will come in this run. Everything else has been worked off. */
async function purgeDelayed({ system }: Rig): Promise<void> {
  const broker = system.backing.servers.find(({ control }) => control);
  const listed = await broker?.control?.('--formatter', 'json', 'list_queues', 'name', 'messages');
  const queues = JSON.parse(listed ?? '[]') as { name: string; messages: number }[];
  for (const { name, messages } of queues)
    if (messages > 0 && (name.includes('.wait-') || name === knownQueue)) await broker?.control?.('purge_queue', name);
}
