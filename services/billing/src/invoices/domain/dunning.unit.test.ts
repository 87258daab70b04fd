import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anInvoice, berlin } from '../../../test/builders.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { settled } from '../../domain/balance.ts';
import { runNextStep, stepsOf } from './dunning.ts';

const hour = 60 * 60 * 1000;
const noon = new Date('2026-11-01T11:00:00Z');
const payment = (amount: number, at: Date) => [{ paymentId: 'pay_1', amount, at }];

/** Does what is due at each of these moments; returns what was published, and the invoice after it. */
function doAt(invoice: Invoice, moments: readonly Date[]) {
  const published: string[] = [];
  let after = invoice;
  for (const now of moments)
    for (let done = runNextStep(after, now); done !== null; done = runNextStep(after, now)) {
      after = done.invoice;
      if (done.holds) published.push('hold');
      for (const { type, data } of done.facts)
        published.push([type, (data as { days?: number }).days].join(' ').trim());
    }
  return { published, after };
}

describe('the steps of an invoice', () => {
  it('are three days before it is due, on the day, and after it', () => {
    expect(stepsOf(noon, '2026-12-01', berlin).map(({ kind, days, at }) => [kind, days, at.toISOString()])).toEqual([
      ['remind', -3, '2026-11-28T07:00:00.000Z'],
      ['remind', 0, '2026-12-01T07:00:00.000Z'],
      ['overdue', 1, '2026-12-01T23:00:00.000Z'],
      ['remind', 7, '2026-12-08T07:00:00.000Z'],
      ['remind', 14, '2026-12-15T07:00:00.000Z'],
      ['hold', 31, '2026-12-31T23:00:00.000Z'],
    ]);
  });

  it('are not before it is issued', () => {
    expect(stepsOf(noon, '2026-11-01', berlin).map(({ kind, days }) => [kind, days])).toEqual([
      ['overdue', 1],
      ['remind', 7],
      ['remind', 14],
      ['hold', 31],
    ]);
    const [first] = stepsOf(noon, '2026-11-04', berlin);
    expect(first).toMatchObject({ kind: 'remind', days: 0 });
  });
});

describe('doing the steps of an invoice', () => {
  const invoice = anInvoice('2026-11-01', 30);

  it('is nothing before their time', () => {
    expect(runNextStep(invoice, new Date('2026-11-28T06:59:59.999Z'))).toBeNull();
  });

  it('publishes a reminder, and leaves the invoice open', () => {
    const now = new Date('2026-11-28T07:00:00Z');
    const done = runNextStep(invoice, now);
    expect(done?.facts).toMatchObject([
      {
        type: 'billing.invoice-reminded',
        subject: invoice.id,
        data: { number: invoice.number, balance: 3923, dueOn: '2026-12-01', days: -3 },
      },
    ]);
    expect(done?.invoice.status).toBe('open');
    expect(done?.invoice.steps[0]?.doneAt).toEqual(now);
    expect(done?.invoice.nextStepAt).toEqual(new Date('2026-12-01T07:00:00Z'));
    expect(runNextStep(done?.invoice ?? invoice, now)).toBeNull();
  });

  it('marks it overdue at the end of the day on which it is due, and holds the account 30 days later', () => {
    const before = doAt(invoice, [new Date('2026-12-01T22:59:59.999Z')]);
    expect(before.after.status).toBe('open');
    const after = doAt(before.after, [new Date('2026-12-01T23:00:00Z')]);
    expect(after).toMatchObject({ published: ['billing.invoice-overdue'], after: { status: 'overdue' } });
    const later = doAt(after.after, [new Date('2026-12-31T22:59:59.999Z')]);
    expect(later.published).toEqual(['billing.invoice-reminded 7', 'billing.invoice-reminded 14']);
    const last = doAt(later.after, [new Date('2026-12-31T23:00:00Z')]);
    expect(last).toMatchObject({ published: ['hold'], after: { nextStepAt: null } });
  });

  it('publishes each once and in order, however late and however often it is looked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 90 }),
        fc.array(fc.integer({ min: 0, max: 130 * 24 }), { maxLength: 40 }),
        (termsDays, hours) => {
          const issued = anInvoice('2026-11-01', termsDays);
          const at = (afterHours: number) => new Date(issued.issuedAt.getTime() + afterHours * hour);
          const end = at(130 * 24);
          const once = doAt(issued, [end]);
          const often = doAt(issued, [...hours.toSorted((a, b) => a - b).map(at), end]);
          expect(often.published).toEqual(once.published);
          expect(new Set(once.published).size).toBe(once.published.length);
          expect(once.published).toHaveLength(issued.steps.length);
        },
      ),
    );
  });

  it('publishes nothing about an invoice that is paid', () => {
    const paid = settled(invoice, { payments: payment(3923, noon) }, noon);
    expect(doAt(paid, [new Date('2027-06-01T00:00:00Z')])).toEqual({ published: [], after: paid });
  });

  it('leaves out the reminders of days on which nothing was owed, and marks it overdue at once', () => {
    const paid = settled(invoice, { payments: payment(3923, noon) }, noon);
    const refunded = settled(paid, { payments: [] }, new Date('2026-12-10T12:00:00Z'));
    expect(doAt(refunded, [new Date('2026-12-10T12:00:00Z')]).published).toEqual(['billing.invoice-overdue']);
    expect(doAt(refunded, [new Date('2026-12-20T12:00:00Z')]).published).toEqual([
      'billing.invoice-overdue',
      'billing.invoice-reminded 14',
    ]);
  });

  it('holds the account again where an invoice that held it was paid and is owed again', () => {
    const held = doAt(invoice, [new Date('2027-01-10T12:00:00Z')]).after;
    const paid = settled(held, { payments: payment(3923, noon) }, new Date('2027-01-11T12:00:00Z'));
    expect(doAt(paid, [new Date('2027-01-12T12:00:00Z')]).published).toEqual([]);
    const refunded = settled(paid, { payments: [] }, new Date('2027-01-13T12:00:00Z'));
    expect(doAt(refunded, [new Date('2027-01-13T12:00:00Z')]).published).toEqual(['hold']);
  });
});
