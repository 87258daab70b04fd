import type { JobHolders } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { ProviderCalls } from '../commands/call-providers.ts';
import type { OrderPayments } from '../store/order-payments.ts';

const [everyMs, idleTurns] = [1000, 5];
const atOnce = 50;

/**
 * Calls providers for orders whose calls are left: of instances that have ended, and those that got no answer. Only one
 * instance does so at a time. `stop` waits for the current calls.
 */
export function callProvidersRepeatedly({
  orderPayments,
  calls,
  jobHolders,
  databaseNow,
  logger,
}: {
  readonly orderPayments: OrderPayments;
  readonly calls: ProviderCalls;
  readonly jobHolders: JobHolders;
  readonly databaseNow: () => Date;
  readonly logger: Logger;
}): { stop(): Promise<void> } {
  async function callDue(): Promise<'idle' | void> {
    if (!(await jobHolders.take('order-payment-calls'))) return 'idle';
    const due = await orderPayments.dueForCall(databaseNow(), atOnce);
    await Promise.all(due.map((orderId) => calls.call(orderId)));
    return due.length === 0 ? 'idle' : undefined;
  }

  return repeatEvery(everyMs, callDue, {
    logger,
    failure: 'calls of payment providers were not looked for',
    idleTurns,
  });
}
