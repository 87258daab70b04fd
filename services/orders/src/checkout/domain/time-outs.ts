import { ordersErrors } from '@storefront/contracts';
import type { Order } from './order.ts';
import type { Step } from './transitions.ts';

const [second, minute] = [1000, 60_000];

interface TimeOuts {
  /** How long after the question the others are asked again; where there is no end, the last time repeats. */
  readonly askAgainAfterMs: readonly number[];
  /** How long after the order got the status it waits no longer, and what happens then. */
  readonly end?: { readonly afterMs: number; readonly by: 'given-up' | 'unpaid' };
}

/** How long an order waits in each status. In the others it waits for nobody. */
const timeOuts: Readonly<Partial<Record<Order['status'], TimeOuts>>> = {
  pending: { askAgainAfterMs: [10 * second, 60 * second], end: { afterMs: 2 * minute, by: 'given-up' } },
  'awaiting-payment': { askAgainAfterMs: [10 * second, 60 * second], end: { afterMs: 35 * minute, by: 'unpaid' } },
  // It has no end: what a buyer has paid is never guessed.
  closing: { askAgainAfterMs: [30 * second, 2 * minute, 10 * minute] },
};

type Waiting = Pick<Order, 'status' | 'statusSince' | 'askedAt' | 'repetitions' | 'payment'>;

/** When something is due if nothing happens before; null where the order waits for nobody. */
export function dueAtOf(order: Waiting): Date | null {
  const times = [askAgainAt(order), endAt(order)].flatMap((at) => at?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

// All that is asked for has been asked for several times by then.
const stuckAfterMs = 15 * minute;

/** When an order that is still not answered is one for staff to see to; null where it waits for no other service. */
export function stuckAtOf(order: Waiting): Date | null {
  return isAsking(order) ? new Date(order.askedAt.getTime() + stuckAfterMs) : null;
}

/** The step that is due at the time; null if nothing is. */
export function dueOf(order: Waiting, now: Date): Step | null {
  const { end } = timeOuts[order.status] ?? {};
  const [ended, asked] = [endAt(order), askAgainAt(order)];
  if (end && ended && ended <= now) return endOfWait[end.by];
  return asked && asked <= now ? { happening: 'unanswered', by: 'system' } : null;
}

const { code, message: detail } = ordersErrors.orderNotAnswered();
const endOfWait: Readonly<Record<'given-up' | 'unpaid', Step>> = {
  'given-up': { happening: 'given-up', by: 'system', refusal: { code, detail, members: {} } },
  unpaid: { happening: 'unpaid', by: 'system', reason: 'unpaid' },
};

function endAt({ status, statusSince }: Waiting): Date | null {
  const { end } = timeOuts[status] ?? {};
  return end ? new Date(statusSince.getTime() + end.afterMs) : null;
}

/** Whether it waits for another service. Where a page is open the buyer is asked, and nobody else. */
function isAsking({ status, payment }: Waiting): boolean {
  return timeOuts[status] !== undefined && (status !== 'awaiting-payment' || payment.redirectUrl === null);
}

function askAgainAt(order: Waiting): Date | null {
  if (!isAsking(order)) return null;
  const { status, askedAt, repetitions } = order;
  const { askAgainAfterMs = [], end } = timeOuts[status] ?? {};
  const last = askAgainAfterMs.at(-1);
  if (last === undefined) return null;
  const beyond = repetitions - askAgainAfterMs.length + 1;
  const afterMs = askAgainAfterMs[repetitions] ?? (end ? null : last * (1 + beyond));
  return afterMs === null ? null : new Date(askedAt.getTime() + afterMs);
}
