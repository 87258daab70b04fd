import { Gauge, type Registry } from '@storefront/process';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'reservations'> {
  readonly metrics: Registry;
  readonly now: () => Date;
}

const dayMs = 24 * 60 * 60 * 1000;
const mostCounted = 10_000;

/** Shows in the metrics how many orders have reserved stock for more than a day. */
export function measureReservations({ reservations, metrics, now }: Needs): void {
  const gauge = new Gauge({
    name: 'reservations_over_a_day',
    help: `Orders for which stock has been reserved for more than a day, up to ${mostCounted}; NaN while the database is away`,
    registers: [metrics],
    async collect() {
      const long = { state: 'reserved', requestedAt: { $lt: new Date(now().getTime() - dayMs) } } as const;
      gauge.set(await reservations.count(long, { hint: 'open', limit: mostCounted }).catch(() => Number.NaN));
    },
  });
}
