import { Gauge, repeatEvery, type Registry } from '@storefront/process';
import { lookAtRequests } from '../commands/look-at-requests.ts';

type Needs = Parameters<typeof lookAtRequests>[0] & { readonly metrics: Registry };

const everyMs = 10_000;

/**
 * Looks every 10 s at the erasures and exports that wait. `overdue` is how many wait for more than a day, as seen last; the
 * metric `data_requests_overdue` has the same.
 */
export function watchDataRequests(needs: Needs): {
  overdue(): Readonly<Record<'erasure' | 'export', number>>;
  stop(): Promise<void>;
} {
  let overdue = { erasure: 0, export: 0 };
  const gauge = new Gauge({
    name: 'data_requests_overdue',
    help: 'Erasures and exports of users that are not done after a day',
    labelNames: ['kind'],
    registers: [needs.metrics],
    collect: () => Object.entries(overdue).forEach(([kind, count]) => gauge.set({ kind }, count)),
  });
  async function look(): Promise<void> {
    overdue = await lookAtRequests(needs);
  }

  const failure = 'looking at erasures and exports failed';
  return { overdue: () => overdue, ...repeatEvery(everyMs, look, { logger: needs.logger, failure }) };
}
