// A minimal service as a process of its own: it changes documents, and its relay publishes their events.
import { setTimeout as wait } from 'node:timers/promises';
import { changed, defineEvent, fact, queue } from '@storefront/contracts';
import { connectRabbitmq, on, subscription } from '@storefront/messaging';
import {
  createRelay,
  byId,
  defineCollection,
  openCollections,
  openDatabase,
  openRepository,
  withEvents,
} from '@storefront/mongo';
import { pino } from 'pino';
import { z } from 'zod';
import type { EventsRun, EventsResult } from './run.ts';

const noteWritten = defineEvent('bench.note-written', 'A note was written.', z.object({ text: z.string() }));
const onNoteWritten = queue('bench.on-note-written', [noteWritten]);
const notes = defineCollection('notes', { ...withEvents, text: z.string() }, { sharding: byId });
const warmUpMs = 2000;

interface Note {
  readonly id: string;
  readonly text: string;
}

process.once('message', (run: EventsRun) => {
  void write(run).then((result) => process.send?.(result, () => process.exit(0)));
});

async function write({ mongodbUrl, amqpUrl, seconds, concurrency }: EventsRun): Promise<EventsResult> {
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const url = new URL(mongodbUrl);
  url.pathname = '/bench_events';
  const database = await openDatabase(url.href, logger);
  await openCollections(database, [notes]);
  const topology = [{ queue: onNoteWritten.name, types: [noteWritten.type] }];
  const bus = await connectRabbitmq({ url: amqpUrl, topology, logger, name: 'bench' });
  await bus.subscribe(subscription(onNoteWritten, [on(noteWritten, async () => undefined)]));
  const relay = createRelay({ bus, logger });
  const repository = openRepository<Note>(notes, { database, relay, now: () => new Date() });
  relay.start();

  let count = 0;
  const writeFor = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    const writer = async () => {
      while (performance.now() < until) {
        const id = `note-${(count += 1)}`;
        await repository.change(id, () =>
          changed({ id, text: 'Bring the tea.' }, [fact(noteWritten, id, { text: 'Bring the tea.' })], null),
        );
      }
    };
    await Promise.all(Array.from({ length: concurrency }, writer));
    while ((await relay.status()).depth > 0) await wait(5);
  };

  await writeFor(warmUpMs);
  const [countBefore, cpuBefore, begun] = [count, process.cpuUsage(), performance.now()];
  await writeFor(seconds * 1000);
  const { user, system } = process.cpuUsage(cpuBefore);
  const result = {
    events: count - countBefore,
    seconds: (performance.now() - begun) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
  await relay.close();
  await bus.close();
  await database.close();
  return result;
}
