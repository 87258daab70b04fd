import type { Invoice, PaidBy, Step } from './invoice.ts';

/** The amount still owed of an invoice: 0 where it is void. */
export function owedOf({ status, balance }: Pick<Invoice, 'status' | 'balance'>): number {
  return status === 'void' ? 0 : balance;
}

/** The invoice with other payments or credit notes: its sums, its status and its next step follow from them. */
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

/** When the first of the steps that are not done is to be done; null where all are. */
export function nextStepAt(steps: readonly Step[]): Date | null {
  let next: Date | null = null;
  for (const { at, doneAt } of steps) if (doneAt === null && (next === null || at < next)) next = at;
  return next;
}

/** The payments of an invoice after `amount` of one of them went back, the newest part first. */
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
 * A step of an invoice that was paid and is owed again. Nobody is reminded of a day on which nothing was owed; a hold, which ended
 * when the invoice was paid, begins again.
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
