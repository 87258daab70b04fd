import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findRabbitmq, startRabbitmq } from '@storefront/backing';
import { newId } from '@storefront/contracts';
import { eventually, memoryLogger } from '@storefront/testing';
import { expect, onTestFinished, test } from 'vitest';
import { connectRabbitmq, deployTopology } from '../src/index.ts';
import { idsOf } from './bus-contract.ts';
import { event, registered, topology, welcome } from './events.ts';

const programs = await findRabbitmq();

// A node of its own, since it is killed: where RabbitMQ is only an address there is none to kill.
test.skipIf(!programs)('loses nothing when the broker is killed, and is back after its return', async () => {
  if (!programs) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-messaging-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const broker = await startRabbitmq({ programs, dataDir });
  onTestFinished(() => broker.close());
  await deployTopology({ url: broker.url, topology });
  const bus = await connectRabbitmq({
    url: broker.url,
    topology,
    logger: memoryLogger().logger,
    name: 'test',
    retryDelaysMs: [1_000, 10_000],
  });
  onTestFinished(() => bus.close());

  const done = new Map<string, number>();
  let doneLater = 0;
  const order = new Map<string, number[]>();
  await bus.subscribe({
    ...welcome,
    async handle({ id, subject, sequence }, { attempt }) {
      if (sequence % 10 === 0 && attempt === 1) return 'retry';
      done.set(id, (done.get(id) ?? 0) + 1);
      if (attempt > 1) doneLater++;
      if (sequence % 10 !== 0) order.set(subject, [...(order.get(subject) ?? []), sequence]);
      return 'done';
    },
  });

  const subjects = Array.from({ length: 10 }, () => newId('user'));
  const all: string[] = [];
  let pending: ReturnType<typeof event>[] = [];
  const enough = new AbortController();
  // What an outbox does: publish in order, again until confirmed.
  const publishing = (async () => {
    for (let sequence = 1; !enough.signal.aborted || pending.length > 0; sequence++) {
      const more = enough.signal.aborted ? [] : subjects.map((subject) => event(registered, { subject, sequence }));
      pending.push(...more);
      all.push(...idsOf(more));
      const confirmed = new Set<string>();
      for (const each of await bus.publish(pending)) if (each.confirmed) confirmed.add(each.id);
      pending = pending.filter(({ id }) => !confirmed.has(id));
      await wait(20);
    }
  })();

  // A queue that was declared just before the broker is killed does not come back (packages/backing/README.md). That it
  // was is half a second later on an idle disk, so these are events of some seconds.
  await eventually(() => done.size > 1000 && doneLater > 50, 'the events to flow, also through a delay queue');
  process.kill(broker.pid, 'SIGKILL');
  await eventually(() => !bus.health().connected, 'the loss to be noticed');
  await broker.restart();
  await eventually(() => bus.health().connected, 'the connections');
  const before = done.size;
  await eventually(() => done.size > before + 200, 'the events to flow again');
  enough.abort();
  await publishing;
  await eventually(() => done.size === all.length, 'every event');
  expect(await bus.deadLetters.count()).toBe(0);
  // A repetition goes back to what was seen before; a fact that was never seen never comes late.
  for (const sequences of order.values()) {
    const fresh = sequences.filter((sequence, index) => !sequences.slice(0, index).includes(sequence));
    expect(fresh).toEqual(fresh.toSorted((a, b) => a - b));
  }
});
