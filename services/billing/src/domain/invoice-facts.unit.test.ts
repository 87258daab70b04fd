import { billingEvents, Refusal, type Fact } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines, runs } from '../../test/arbitrary.ts';
import {
  aPayment,
  calendar,
  noon,
  shop,
  someBooks,
  stated,
  statementKinds,
  withIssued,
  type Stated,
} from '../../test/states.ts';
import type { Books } from './books.ts';
import { withFact } from './receipts.ts';
import { settlePayment } from '../payments/domain/settle-payment.ts';
import { owedOf } from './balance.ts';
import { creditedOf } from '../invoices/domain/credited.ts';
import { issueCreditNote } from '../invoices/domain/issue-credit-note.ts';
import { voidInvoice } from '../invoices/domain/void-invoice.ts';

type Outcome = { readonly books: Books; readonly facts: readonly Fact[] };

const tea = (unitPrice: number) => [{ description: 'Tea', sku: null, quantity: 1, unitPrice, discount: 0, taxRate: 0 }];

/** The provider states something about a payment, which is for these invoices. */
function state(books: Books, id: string, invoiceIds: readonly string[], published: Stated, at: Date): Outcome {
  const known = books.payments.get(id) ?? aPayment({ id, invoiceIds });
  const wentBack = published.kind === 'disputed' ? 'dispute' : 'refund';
  const payment = { ...known, receipts: withFact(known.receipts, stated(published)) };
  return settlePayment(books, payment, { currency: 'EUR', wentBack, now: at });
}

/** Credits the first line of the invoice; nothing where that is refused. */
function credit(books: Books, invoiceId: string, quantity: number | null, at: Date): Outcome {
  const invoice = books.invoices.get(invoiceId);
  if (!invoice) return { books, facts: [] };
  const [id, number] = [`cn_${at.getTime()}`, `CN-2026-${at.getTime()}`];
  return unlessRefused(books, () => {
    const credited = creditedOf(invoice, quantity === null ? null : [{ line: 0, quantity }]);
    return issueCreditNote(books, invoice, { id, reason: 'Damaged', ...credited }, { number, at, shop, calendar });
  });
}

function voided(books: Books, invoiceId: string, at: Date): Outcome {
  const invoice = books.invoices.get(invoiceId);
  if (!invoice || invoice.status === 'void') return { books, facts: [] };
  return unlessRefused(books, () => voidInvoice(books, invoice, null, at));
}

function unlessRefused(books: Books, work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { books, facts: [] };
    throw error;
  }
}

/** What the facts say of balances, checked against the contract. */
function changesIn(facts: readonly Fact[]) {
  const contract = billingEvents.invoiceBalanceChanged;
  return facts.flatMap(({ type, subject, data }) =>
    type === contract.type ? [{ subject, ...contract.data.parse(data) }] : [],
  );
}
const inShort = (facts: readonly Fact[]) =>
  changesIn(facts).map(({ subject, delta, balance, reason }) => [subject, delta, balance, reason]);

describe('a balance that changes is published', () => {
  const later = new Date(noon.getTime() + 60_000);
  const issued = () => withIssued(someBooks(), tea(100)).books;
  const succeeded = (amount: number): Stated => ({ kind: 'captured', amount });

  it('as issued, with when that was', () => {
    const { facts } = withIssued(someBooks(), tea(100));
    expect(inShort(facts)).toEqual([['inv_1', 100, 100, 'issued']]);
    expect(changesIn(facts)[0]).toMatchObject({ accountId: 'user_buyer', changedAt: noon.toISOString() });
    expect(inShort(withIssued(someBooks(), tea(0)).facts)).toEqual([]);
  });

  it('as issued and as paid, where credit of the account pays it at once', () => {
    const { books } = state(issued(), 'pay_1', ['inv_1'], succeeded(130), noon);
    const { facts } = withIssued(books, tea(100), { id: 'inv_2', number: 'INV-2026-000002' });
    expect(inShort(facts)).toEqual([
      ['inv_2', 100, 100, 'issued'],
      ['inv_2', -30, 70, 'paid'],
    ]);
  });

  it('as paid, and as refunded where money goes back', () => {
    const paid = state(issued(), 'pay_1', ['inv_1'], succeeded(100), later);
    expect(inShort(paid.facts)).toEqual([['inv_1', -100, 0, 'paid']]);
    expect(paid.facts[1]).toMatchObject({
      type: 'billing.invoice-paid',
      data: { issuedAt: noon.toISOString(), paidAt: later.toISOString() },
    });
    for (const kind of ['refunded', 'disputed'] as const) {
      const back = state(paid.books, 'pay_1', [], { kind, amount: 40 }, later);
      expect(inShort(back.facts)).toEqual([['inv_1', 40, 40, 'refunded']]);
    }
  });

  it('as credited, by what was still owed of it; not where a credit note frees what was paid', () => {
    const { books } = state(issued(), 'pay_1', ['inv_1'], succeeded(80), noon);
    const first = credit(books, 'inv_1', 0.3, later);
    expect(inShort(first.facts)).toEqual([['inv_1', -20, 0, 'credited']]);
    expect(inShort(credit(first.books, 'inv_1', null, later).facts)).toEqual([]);
  });

  it('as paid only where something was paid: not where all of it is credited, or nothing was charged', () => {
    const typesOf = ({ facts }: { facts: readonly Fact[] }) => facts.map(({ type }) => type);
    const credited = credit(issued(), 'inv_1', null, later);
    expect(inShort(credited.facts)).toEqual([['inv_1', -100, 0, 'credited']]);
    expect(typesOf(credited)).not.toContain('billing.invoice-paid');
    expect(typesOf(withIssued(someBooks(), tea(0)))).not.toContain('billing.invoice-paid');
    const { books } = state(issued(), 'pay_1', ['inv_1'], succeeded(80), noon);
    expect(typesOf(credit(books, 'inv_1', 0.2, later))).toContain('billing.invoice-paid');
  });

  it('as voided', () => {
    expect(inShort(voided(issued(), 'inv_1', later).facts)).toEqual([['inv_1', -100, 0, 'voided']]);
  });
});

it('the events of an invoice add up to its balance, whatever happens in whatever order', () => {
  const at = fc.nat(9);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), lines }),
    fc.record({
      kind: fc.constant('state' as const),
      payment: fc.nat(3),
      at,
      published: fc.record({
        kind: fc.constantFrom(...statementKinds),
        amount: fc.nat(200_000),
        reference: fc.constantFrom('tr_1', 'tr_2'),
        id: fc.constantFrom('1', '2'),
        at: fc.nat(3),
      }),
    }),
    fc.record({ kind: fc.constant('credit' as const), at, quantity: fc.constantFrom(0.1, 1, null) }),
    fc.record({ kind: fc.constant('void' as const), at }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let books = someBooks();
      const sums = new Map<string, number>();
      for (const [count, each] of steps.entries()) {
        const now = new Date(noon.getTime() + count * 7 * 86_400_000);
        const ids = [...books.invoices.keys()];
        const done = (): Outcome => {
          switch (each.kind) {
            case 'issue':
              return withIssued(books, each.lines, { id: `inv_${count}`, number: `INV-2026-${count}`, at: now });
            case 'state':
              return state(books, `pay_${each.payment}`, ids.slice(each.at), each.published, now);
            case 'credit':
              return credit(books, ids[each.at] ?? '', each.quantity, now);
            case 'void':
              return voided(books, ids[each.at] ?? '', now);
          }
        };
        const { books: after, facts } = done();
        for (const { subject, delta } of changesIn(facts)) {
          expect(delta).not.toBe(0);
          sums.set(subject, (sums.get(subject) ?? 0) + delta);
        }
        for (const invoice of after.invoices.values()) expect(sums.get(invoice.id) ?? 0).toBe(owedOf(invoice));
        books = after;
      }
    }),
    runs,
  );
});
