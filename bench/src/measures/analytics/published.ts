import { accountEvents, fact, newId, toEvent, topology, type Event } from '@storefront/contracts';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import { pino } from 'pino';
import type { BenchContext } from '../../context.ts';

const users = Array.from({ length: 1000 }, () => newId('user'));
const products = Array.from({ length: 100 }, () => newId('prod'));

/** Additions to wishlists, as account publishes them. */
export function newWishes(count: number): Event[] {
  return Array.from({ length: count }, (_, at) => {
    const data = { itemId: newId('wli'), productId: products[at % products.length] ?? '', tier: 'retail' as const };
    const wish = fact(accountEvents.wishlistItemAdded, users[at % users.length] ?? '', data);
    return toEvent(wish, { sequence: 1, time: new Date() });
  });
}

/** Publishes events beside the services. */
export async function connectPublisher(context: BenchContext): Promise<Bus> {
  const { broker } = await context.backing();
  const logger = pino({ level: 'warn' }, pino.destination(2));
  return connectRabbitmq({ url: broker.url ?? '', topology, logger, name: 'bench-analytics' });
}

/** Publishes the events. Throws where the broker does not confirm one. */
export async function publish(bus: Pick<Bus, 'publish'>, events: readonly Event[]): Promise<void> {
  const refused = (await bus.publish(events)).find(({ confirmed }) => !confirmed);
  if (refused) throw new Error(`the broker did not confirm ${refused.id}`);
}
