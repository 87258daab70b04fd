import { Gauge, repeatEvery, type Registry } from '@storefront/process';
import { checkDataRequests } from '../commands/check-data-requests.ts';

type Needs = Parameters<typeof checkDataRequests>[0] & { readonly metrics: Registry };

const everyMs = 10_000;

/**
 * Checks waiting erasures and exports every 10 s. `overdue` returns how many of each had waited for more than a day at
 * the last check. The metric `data_requests_overdue` shows the same numbers.
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
  async function check(): Promise<void> {
    overdue = await checkDataRequests(needs);
  }

  const failure = 'checking erasures and exports failed';
  return { overdue: () => overdue, ...repeatEvery(everyMs, check, { logger: needs.logger, failure }) };
}
