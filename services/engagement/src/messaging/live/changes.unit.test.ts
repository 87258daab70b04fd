import { engagementEvents, type Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import { describe, expect, it } from 'vitest';
import { createNotificationChanges } from './changes.ts';

type Broadcast = Parameters<Bus['broadcast']>[0];

/** Two instances, and what one publishes to the other. */
async function twoInstances() {
  const handlers: Broadcast['handle'][] = [];
  const published: Event[] = [];
  const bus: Pick<Bus, 'publish' | 'broadcast'> = {
    async publish(events) {
      published.push(...events);
      return [];
    },
    async broadcast({ handle }) {
      handlers.push(handle);
    },
  };
  const now = () => new Date('2026-11-21T09:30:00Z');
  const [here, there] = [createNotificationChanges(bus, now), createNotificationChanges(bus, now)];
  await there.connect();
  const seen = { here: [] as string[], there: [] as string[] };
  for (const user of ['user_1', 'user_2', 'user_3']) {
    here.subscribe([user], () => void seen.here.push(user));
    there.subscribe([user], () => void seen.there.push(user));
  }
  const deliver = () => {
    for (const event of published) for (const handle of handlers) handle(event);
  };
  return { here, published, seen, deliver };
}

describe('changes of the notifications of many users', () => {
  it('are one message, which reaches the streams of all instances', async () => {
    const { here, published, seen, deliver } = await twoInstances();
    here.publish(['user_1', 'user_3']);
    expect(seen.here).toEqual(['user_1', 'user_3']);
    expect(published).toHaveLength(1);
    deliver();
    expect(seen.there).toEqual(['user_1', 'user_3']);
  });

  it('of nobody are no message', async () => {
    const { here, published } = await twoInstances();
    here.publish([]);
    expect(published).toEqual([]);
  });

  it('of one user reach the streams of that user alone', async () => {
    const { here, published, seen, deliver } = await twoInstances();
    here.publish(['user_2']);
    expect(published).toMatchObject([
      { type: engagementEvents.notificationsChanged.type, subject: 'user_2', data: { audiences: [] } },
    ]);
    deliver();
    expect([seen.here, seen.there]).toEqual([['user_2'], ['user_2']]);
  });
});
