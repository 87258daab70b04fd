import { setTimeout as wait } from 'node:timers/promises';
import { topology } from '@storefront/contracts';
import { countQueues } from '@storefront/messaging';
import { pendingIndex } from '@storefront/mongo';
import type mongoose from 'mongoose';
import type { BenchContext } from '../context.ts';
import type { StackProcess } from '../system/stack-process.ts';
import { usageOf } from '../system/usage.ts';
import { untilCounted } from './analytics/counted.ts';

const restSeconds = 5;
const pollMs = 500;
const withinMs = 120_000;

/**
 * Loads the system and waits until nothing is left to do. `load` returns how many were done. Returns the CPU seconds for
 * 1,000 of everything together: the gateway, all services, MongoDB and RabbitMQ. What they need at rest in the same time is
 * left out.
 */
export async function measureWhatFollows(
  context: BenchContext,
  stack: StackProcess,
  load: () => Promise<number>,
): Promise<number> {
  const { mongodb, broker } = await context.backing();
  const processes = { ...stack.processes, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const cpuNow = () => Object.values(usageOf(processes)).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);

  async function used(work: () => Promise<unknown>): Promise<{ readonly cpu: number; readonly seconds: number }> {
    const [before, begun] = [cpuNow(), performance.now()];
    await work();
    return { cpu: cpuNow() - before, seconds: (performance.now() - begun) / 1000 };
  }

  const untilDone = await openWait(context, stack);
  await untilDone();
  const atRest = await used(() => wait(restSeconds * 1000));
  let done = 0;
  const loaded = await used(async () => {
    done = await load();
    await untilDone();
  });
  const cpu = loaded.cpu - (atRest.cpu / atRest.seconds) * loaded.seconds;
  return (cpu / done) * 1000;
}

/**
 * Returns a function that waits until all outboxes and queues are empty and all facts are counted. Throws after two
 * minutes.
 */
async function openWait(context: BenchContext, stack: StackProcess): Promise<() => Promise<void>> {
  const { broker } = await context.backing();
  const engagement = await context.database('engagement', stack.database);
  const state = engagement.collection<{ readonly heartbeatAt?: Date }>('roll_up_state');
  const outboxes: mongoose.mongo.Collection[] = [];
  for (const service of Object.keys(stack.services)) {
    const database = await context.database(service, stack.database);
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray())
      if (await database.collection(name).indexExists(pendingIndex)) outboxes.push(database.collection(name));
  }

  async function isPublished(): Promise<boolean> {
    for (const outbox of outboxes)
      if ((await outbox.findOne({ 'outbox.0': { $exists: true } }, { hint: pendingIndex })) !== null) return false;
    return true;
  }

  async function areQueuesEmpty(): Promise<boolean> {
    const counts = await countQueues({ url: broker.url ?? '', topology });
    return counts.every(({ messages }) => messages === 0);
  }

  async function isDone(): Promise<boolean> {
    return (await isPublished()) && (await areQueuesEmpty());
  }

  return async () => {
    const deadline = performance.now() + withinMs;
    const until = async (isSo: () => Promise<boolean>) => {
      while (!(await isSo())) {
        if (performance.now() > deadline) throw new Error('the system was not done with its work in time');
        await wait(pollMs);
      }
    };
    await until(isDone);
    // A message that a handler works on is in no count, and may lead to another event. A heartbeat comes after all
    // facts that were published before it.
    const published = new Date();
    await until(async () => ((await state.findOne())?.heartbeatAt ?? published) > published);
    await until(isDone);
    await untilCounted(context, stack);
  };
}
