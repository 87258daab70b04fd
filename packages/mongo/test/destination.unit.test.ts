import { defineEvent, fact, toEvent } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import { memoryLogger } from '@storefront/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createDestination } from '../src/destination.ts';
import type { PendingEvent, Source } from '../src/pending-events.ts';

const contract = defineEvent('test.refused', 'Something that no queue takes.', z.object({}));

it('holds back a subject whose event was left after the collections to sweep were looked up', async () => {
  const published: number[] = [];
  const bus = {
    async publish(events: readonly PendingEvent['event'][]) {
      published.push(...events.map(({ sequence }) => sequence));
      return events.map(({ id }) => ({ id, confirmed: false, reason: 'no queue takes it' }));
    },
    health: () => ({ canPublish: true }),
  } as unknown as Bus;
  let now = 0;
  const destination = createDestination({
    type: contract.type,
    bus,
    puller: { pull() {}, idle: async () => undefined },
    logger: memoryLogger().logger,
    sweepMs: 1,
    monotonic: () => (now += 1000),
  });
  const publish = async (sequence: number) => {
    const event = toEvent(fact(contract, 'a', {}), { sequence, time: new Date(), cause: undefined });
    destination.publish([{ source: {} as Source, documentId: 'a', event }]);
    await new Promise(setImmediate);
  };
  const sweep = async () => {
    destination.sweep([]);
    await new Promise(setImmediate);
  };
  await publish(1);
  await sweep();
  await publish(2);
  expect(published).toEqual([1]);
  // These two looks have come after both events were left, and have not found them.
  await sweep();
  await sweep();
  await publish(3);
  expect(published).toEqual([1, 3]);
});
