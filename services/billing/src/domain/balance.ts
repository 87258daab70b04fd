import type { Invoice, PaidBy, Step } from './invoice.ts';

/** The amount that is still owed for an invoice, in minor units; 0 for a void invoice. */
export function owedOf({ status, balance }: Pick<Invoice, 'status' | 'balance'>): number {
  return status === 'void' ? 0 : balance;
}

/**
 * Returns the invoice with other payments or credit notes. The sums, the status and the next dunning step are
 * calculated anew. Throws a RangeError if more is paid and credited than the total.
 */
export function settled(
  invoice: Invoice,
  change: Partial<Pick<Invoice, 'payments' | 'creditNotes'>>,
  now: Date,
): Invoice {
  const { payments, creditNotes } = { ...invoice, ...change };
  const amountPaid = payments.reduce((sum, { amount }) => sum + amount, 0);
  const credited = creditNotes.reduce((sum, { total }) => sum + total, 0);
  const balance = invoice.total - credited - amountPaid;
  if (balance < 0) throw new RangeError(`${invoice.id} has more paid and credited than its total`);
  const isPaid = balance === 0;
  const isOwedAgain = invoice.status === 'paid' && !isPaid;
  const steps = isOwedAgain ? invoice.steps.map((step) => owedAgain(step, now)) : invoice.steps;
  return {
    ...invoice,
    payments,
    creditNotes,
    amountPaid,
    credited,
    balance,
    status: isPaid ? 'paid' : now >= invoice.dueAt ? 'overdue' : 'open',
    paidAt: isPaid ? (invoice.paidAt ?? now) : null,
    steps,
    nextStepAt: isPaid ? null : nextStepAt(steps),
  };
}

/** When the earliest open step is due; null if all steps are done. */
export function nextStepAt(steps: readonly Step[]): Date | null {
  let next: Date | null = null;
  for (const { at, doneAt } of steps) if (doneAt === null && (next === null || at < next)) next = at;
  return next;
}

/**
 * The payments of an invoice after `amount` of one payment went back. The newest parts of that payment are reduced
 * first. Throws a RangeError if the payment did not pay so much.
 */
export function withoutPayment(payments: readonly PaidBy[], paymentId: string, amount: number): readonly PaidBy[] {
  let left = amount;
  const kept: PaidBy[] = [];
  for (const paid of payments.toReversed()) {
    const taken = paid.paymentId === paymentId ? Math.min(left, paid.amount) : 0;
    left -= taken;
    if (paid.amount > taken) kept.unshift({ ...paid, amount: paid.amount - taken });
  }
  if (left > 0) throw new RangeError(`${paymentId} did not pay so much`);
  return kept;
}

/**
 * Updates a dunning step of a paid invoice that is owed again. Reminders whose time has passed are skipped, because
 * nothing was owed on those days. A hold ended with the payment, so its step is open again.
 */
function owedAgain(step: Step, now: Date): Step {
  switch (step.kind) {
    case 'remind':
      return step.doneAt === null && step.at <= now ? { ...step, doneAt: now } : step;
    case 'hold':
      return { ...step, doneAt: null };
    case 'overdue':
      return step;
  }
}
