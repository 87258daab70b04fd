import { addDays, type Calendar, type Day } from '@storefront/calendar';
import { billingEvents, fact, type Fact } from '@storefront/contracts';
import { nextStepAt } from '../../domain/balance.ts';
import { summaryOf } from '../../domain/invoice-facts.ts';
import type { Invoice, Step } from '../../domain/invoice.ts';

/** The days on which the buyer is reminded, counted from the invoice's due day. */
const reminderDays = [-3, 0, 7, 14] as const;
const reminderHour = 8 * 60 * 60 * 1000;

/** An invoice that is overdue for this number of days puts its account on hold. */
const holdAfterDays = 30;

/**
 * The dunning steps of an invoice, ordered by time: reminders at eight hours after the start of their day, `overdue` at
 * the end of the due day, and `hold` 30 days later. Steps before the time of issue are left out. Steps are run only
 * while something is owed.
 */
export function stepsOf(issuedAt: Date, dueOn: Day, calendar: Calendar): readonly Step[] {
  const step = (kind: Step['kind'], days: number, afterMs = 0): Step => ({
    kind,
    days,
    at: new Date(calendar.startOf(addDays(dueOn, days)).getTime() + afterMs),
    doneAt: null,
  });
  return [
    ...reminderDays.map((days) => step('remind', days, reminderHour)),
    step('overdue', 1),
    step('hold', 1 + holdAfterDays),
  ]
    .filter(({ at }) => at >= issuedAt)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** The result of running one dunning step. */
export interface StepResult {
  readonly invoice: Invoice;
  /** True if the account is to be put on hold because of this invoice. */
  readonly holds: boolean;
  readonly facts: readonly Fact[];
}

/** Runs the earliest step whose time has come. Returns null if no step is due or nothing is owed. */
export function runNextStep(invoice: Invoice, now: Date): StepResult | null {
  if (invoice.nextStepAt === null || invoice.nextStepAt > now) return null;
  const at = invoice.steps.findIndex(
    (step) => step.doneAt === null && step.at.getTime() === invoice.nextStepAt?.getTime(),
  );
  const step = invoice.steps[at];
  if (!step) throw new RangeError(`${invoice.id} has no step at its next`);
  const steps = invoice.steps.with(at, { ...step, doneAt: now });
  const after: Invoice = {
    ...invoice,
    status: step.kind === 'remind' ? invoice.status : 'overdue',
    steps,
    nextStepAt: nextStepAt(steps),
  };
  return { invoice: after, holds: step.kind === 'hold', facts: factsOf(step, after) };
}

function factsOf({ kind, days }: Step, invoice: Invoice): readonly Fact[] {
  switch (kind) {
    case 'overdue':
      return [fact(billingEvents.invoiceOverdue, invoice.id, summaryOf(invoice))];
    case 'remind': {
      const reminderDay = reminderDays.find((one) => one === days);
      if (reminderDay === undefined) throw new RangeError(`${invoice.id} has a reminder after ${days} days`);
      return [fact(billingEvents.invoiceReminded, invoice.id, { ...summaryOf(invoice), days: reminderDay })];
    }
    case 'hold':
      return [];
  }
}
