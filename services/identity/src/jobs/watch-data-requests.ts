import { Gauge } from '@storefront/process';
import type { Registry } from '@storefront/process';
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
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => needs.logger.warn({ err: error }, 'looking at erasures and exports failed'))
      .finally(() => (underWay = null));
  }, everyMs);

  async function look(): Promise<void> {
    overdue = await lookAtRequests(needs);
  }

  return {
    overdue: () => overdue,
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
