import { repeatEvery } from '@storefront/process';
import { changed, deleted, unchanged } from '@storefront/contracts';
import type { Logger } from 'pino';
import { advanceOrder, type AdvanceNeeds } from '../commands/advance-order.ts';
import { isUnpaid, keptSince, withoutPerson } from '../domain/order.ts';
import { dueOf } from '../domain/time-outs.ts';

interface Needs extends AdvanceNeeds {
  readonly logger: Logger;
}

interface OldNeeds extends Needs {
  /** How long an order is kept after the end of its year. */
  readonly retentionYears: number;
}

const everyMs = 1000;
const everyHourMs = 60 * 60 * 1000;
const atOnce = 100;
// Longer than any provider is away for a while: somebody has to look at it.
const alarmAfterMs = 60 * 60 * 1000;

/**
 * Does what is due for orders that wait: asks the others again, or ends the wait. Every instance does so. What is due is
 * decided with the order as it is then, so a second instance finds nothing to do.
 */
export function endWaits({ logger, ...needs }: Needs): { stop(): Promise<void> } {
  const { now } = needs;

  async function endAll(): Promise<'idle' | void> {
    const due = await needs.findDue(now(), atOnce);
    const results = await Promise.allSettled(due.map(endWait));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return due.length === 0 ? 'idle' : undefined;
  }

  async function endWait(id: string): Promise<void> {
    const outcome = await advanceOrder(needs, id, (order) => {
      const step = dueOf(order, now());
      return step && { order, step };
    });
    if (outcome.kind !== 'taken') return;
    const { status, statusSince } = outcome.order;
    if (status === 'closing' && now().getTime() - statusSince.getTime() > alarmAfterMs)
      logger.error(
        { order: id, since: statusSince },
        'the payment of an order can not be closed: billing does not answer',
      );
  }

  return repeatEvery(everyMs, endAll, {
    logger,
    failure: 'what is due for orders could not be done; it is tried again',
    idleTurns: 2,
  });
}

/** Deletes orders whose time of retention is over, with their numbers and amounts. */
export function deleteOldOrders({ logger, orders, now, retentionYears, ...needs }: OldNeeds): {
  stop(): Promise<void>;
} {
  async function deleteOld(): Promise<void> {
    for (const id of await needs.findSentBefore(keptSince(now(), retentionYears), atOnce))
      await orders.change(id, (current) => (current && !isUnpaid(current) ? deleted([], null) : unchanged(null)));
  }
  return repeatEvery(everyHourMs, deleteOld, {
    logger,
    // Also where no instance lives for an hour.
    firstAfterMs: everyMs,
    failure: 'old orders could not be deleted; it is tried again',
  });
}

/** Erases the personal data of placed orders whose buyers were erased, once it is no longer needed. */
export function forgetBuyers({ logger, orders, now, ...needs }: Needs): { stop(): Promise<void> } {
  async function forget(): Promise<void> {
    for (const id of await needs.findToForget(now(), atOnce))
      await orders.change(id, (current) =>
        current?.forgetAt && current.forgetAt <= now() ? changed(withoutPerson(current), [], null) : unchanged(null),
      );
  }
  return repeatEvery(everyHourMs, forget, {
    logger,
    failure: 'personal data of orders could not be erased; it is tried again',
  });
}
