// A service at its least, as a process of its own: changes aggregates and relays what their outboxes hold.
import { defineEvent, fact } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { changed, createAggregates, createRelay } from '@storefront/outbox';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { z } from 'zod';
import type { EventsRun, EventsResult } from './run.ts';

const noted = defineEvent('bench.note-written', 'A note was written.', z.object({ text: z.string() }));
const topology = [{ queue: 'bench.on-note-written', types: [noted.type] }];

interface Note {
  readonly id: string;
  readonly text: string;
}

process.once('message', (run: EventsRun) => {
  void write(run).then((result) => process.send?.(result, () => process.exit(0)));
});

async function write({ mongodbUrl, amqpUrl, seconds, atOnce }: EventsRun): Promise<EventsResult> {
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const connection = await mongoose
    .createConnection(mongodbUrl, { maxPoolSize: 20, writeConcern: { w: 'majority' } })
    .asPromise();
  const bus = await connectRabbitmq({ url: amqpUrl, topology, logger, name: 'bench' });
  await bus.subscribe({ queue: 'bench.on-note-written', types: [noted.type], handle: async () => 'done' });
  const relay = createRelay({ bus, logger });
  const collection = connection.getClient().db('bench_events').collection('notes');
  const notes = createAggregates<Note>({ collection, relay, now: () => new Date() });
  await relay.start();

  let count = 0;
  const writeFor = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    const writer = async () => {
      while (performance.now() < until) {
        const id = `note-${(count += 1)}`;
        await notes.change(id, () =>
          changed({ id, text: 'Bring the tea.' }, [fact(noted, id, { text: 'Bring the tea.' })], null),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, writer));
    while ((await relay.status()).depth > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  await writeFor(2000);
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
  await connection.close();
  return result;
}
