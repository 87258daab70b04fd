import { Refusal } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectBooks } from '../../test/assert-books.ts';
import { lines, runs } from '../../test/arbitrary.ts';
import { anAccount, aPayment, calendar, noon, shop, someBooks, withIssued } from '../../test/states.ts';
import { creditedOf } from '../invoices/domain/credited.ts';
import { issueCreditNote } from '../invoices/domain/issue-credit-note.ts';
import { draftOf, issueInvoice } from '../invoices/domain/issue-invoice.ts';
import { voidInvoice } from '../invoices/domain/void-invoice.ts';
import { entered, pay, receive, takeBack, withPaymentOf, type Books } from './books.ts';

const tea = (unitPrice: number) => [{ description: 'Tea', sku: null, quantity: 1, unitPrice, discount: 0, taxRate: 0 }];
const payment = { kind: 'payment', id: 'pay_1', number: null } as const;

/** Money comes and pays the invoices; what is more is credit. */
function paid(books: Books, id: string, amount: number, invoiceIds: readonly string[], at = noon): Books {
  const known = books.payments.has(id) ? books : withPaymentOf(books, aPayment({ id }));
  const after = pay(receive(known, id, amount, at), id, invoiceIds, at).books;
  return entered(books, after, { ...payment, id }, at);
}

function expectRight(books: Books): void {
  const stored = <State extends { readonly id: string }>({ id, ...state }: State) => ({ ...state, _id: id });
  expectBooks({
    accounts: [stored(books.account)],
    invoices: [...books.invoices.values()].map(stored),
    payments: [...books.payments.values()].map(stored),
    journal: books.entries,
  });
}

describe('money', () => {
  it('pays the oldest due first, and the remainder is credit that the next invoice uses', () => {
    let books = withIssued(someBooks(), tea(100), { id: 'inv_1', number: 'INV-2026-000001', termsDays: 30 }).books;
    books = withIssued(books, tea(100), { id: 'inv_2', number: 'INV-2026-000002', termsDays: 10 }).books;
    books = paid(books, 'pay_1', 150, ['inv_1', 'inv_2']);
    expect(books.invoices.get('inv_2')).toMatchObject({ status: 'paid', balance: 0, paidAt: noon });
    expect(books.invoices.get('inv_1')).toMatchObject({ status: 'open', balance: 50 });
    books = paid(books, 'pay_2', 80, ['inv_1']);
    expect(books.account).toMatchObject({ outstanding: 0, unused: 30 });
    const { books: after, invoice, facts } = withIssued(books, tea(20), { id: 'inv_3', number: 'INV-2026-000003' });
    expect(invoice).toMatchObject({ status: 'paid', payments: [{ paymentId: 'pay_2', amount: 20 }] });
    expect(facts.map(({ type }) => type)).toEqual([
      'billing.invoice-issued',
      'billing.invoice-balance-changed',
      'billing.invoice-balance-changed',
      'billing.invoice-paid',
    ]);
    expect(after.account).toMatchObject({ outstanding: 0, unused: 10 });
    expectRight(after);
  });

  it('that goes back is owed again, the youngest due first', () => {
    let books = withIssued(someBooks(), tea(100), { id: 'inv_1', number: 'INV-2026-000001', termsDays: 30 }).books;
    books = withIssued(books, tea(100), { id: 'inv_2', number: 'INV-2026-000002', termsDays: 10 }).books;
    books = paid(books, 'pay_1', 220, ['inv_1', 'inv_2']);
    const { books: after, moved } = takeBack(books, 'pay_1', 70, noon);
    expect(moved).toEqual([{ invoiceId: 'inv_1', amount: 50 }]);
    expect(after.invoices.get('inv_1')).toMatchObject({ status: 'open', balance: 50, paidAt: null });
    expect(after.payments.get('pay_1')).toMatchObject({ received: 150, remainder: 0 });
    expect(() => takeBack(after, 'pay_1', 151, noon)).toThrow(RangeError);
    expectRight(entered(books, after, { ...payment, kind: 'refund' }, noon));
  });

  it('pays nothing of what is paid already', () => {
    let books = withIssued(someBooks(), tea(100), { id: 'inv_1', number: 'INV-2026-000001', termsDays: 10 }).books;
    books = withIssued(books, tea(100), { id: 'inv_2', number: 'INV-2026-000002', termsDays: 30 }).books;
    books = paid(books, 'pay_1', 100, ['inv_1']);
    const received = receive(withPaymentOf(books, aPayment({ id: 'pay_2' })), 'pay_2', 70, noon);
    const { books: after, moved } = pay(received, 'pay_2', ['inv_1', 'inv_2'], noon);
    expect(moved).toEqual([{ invoiceId: 'inv_2', amount: 70 }]);
    expect(after.invoices.get('inv_1')).toBe(books.invoices.get('inv_1'));
  });

  it('that goes back leaves what came first', () => {
    const later = new Date(noon.getTime() + 5000);
    const books = paid(withIssued(someBooks(), tea(100)).books, 'pay_1', 40, ['inv_1']);
    const { books: after } = takeBack(paid(books, 'pay_1', 60, ['inv_1'], later), 'pay_1', 50, later);
    expect(after.invoices.get('inv_1')?.payments).toEqual([
      { paymentId: 'pay_1', amount: 40, at: noon },
      { paymentId: 'pay_1', amount: 10, at: later },
    ]);
  });

  it('that a credit note frees is that of the newest payment', () => {
    const later = new Date(noon.getTime() + 5000);
    const first = paid(withIssued(someBooks(), tea(100)).books, 'pay_1', 40, ['inv_1']);
    const before = paid(first, 'pay_2', 60, ['inv_1'], later);
    const invoice = before.invoices.get('inv_1');
    if (!invoice) throw new Error('there is no invoice');
    const note = { id: 'cn_1', reason: 'Damaged', ...creditedOf(invoice, [{ line: 0, quantity: 0.7 }]) };
    const { books } = issueCreditNote(before, invoice, note, {
      number: 'CN-2026-000001',
      at: later,
      shop,
      calendar,
    });
    expect(books.payments.get('pay_2')).toMatchObject({ remainder: 60, allocations: [] });
    expect(books.payments.get('pay_1')).toMatchObject({
      remainder: 10,
      allocations: [{ invoiceId: 'inv_1', amount: 30 }],
    });
    expectRight(books);
  });

  it('that came with its order by card is in the journal, and goes back to the buyer where the invoice is credited', () => {
    const lines = tea(100);
    const requested = { id: 'inv_1', accountId: 'user_buyer', lines, termsDays: 0, reference: null, orderRef: 'ord_1' };
    const paidBy = [
      { paymentId: 'pay_1', amount: 70 },
      { paymentId: 'pay_2', amount: 70 },
    ];
    const { books: before, invoice } = issueInvoice(someBooks(), requested, draftOf(anAccount(), lines, shop), {
      number: 'INV-2026-000001',
      at: noon,
      shop,
      calendar,
      paid: paidBy,
    });
    expect(invoice).toMatchObject({ status: 'paid', paidAt: noon, amountPaid: 100, nextStepAt: null });
    const note = { id: 'cn_1', reason: 'Damaged', ...creditedOf(invoice, [{ line: 0, quantity: 0.4 }]) };
    const { books } = issueCreditNote(before, invoice, note, { number: 'CN-2026-000001', at: noon, shop, calendar });
    expect(books.entries.map(({ kind, id, amount, balance }) => [kind, id, amount, balance])).toEqual([
      ['invoice', 'inv_1', 100, 100],
      ['payment', 'pay_1', -70, 30],
      ['payment', 'pay_2', -30, 0],
      ['credit-note', 'cn_1', -40, -40],
      ['refund', 'pay_1', 10, -30],
      ['refund', 'pay_2', 30, 0],
    ]);
    expect(books.invoices.get('inv_1')).toMatchObject({
      status: 'paid',
      credited: 40,
      payments: [{ paymentId: 'pay_1', amount: 60 }],
    });
    expect(books.account).toMatchObject({ outstanding: 0, unused: 0, entries: 6 });
  });

  it('stays paid on the day on which it was, where a credit note frees what was paid', () => {
    const before = paid(withIssued(someBooks(), tea(100)).books, 'pay_1', 100, ['inv_1']);
    const invoice = before.invoices.get('inv_1');
    if (!invoice) throw new Error('there is no invoice');
    const later = new Date(noon.getTime() + 40 * 86_400_000);
    const { books, facts } = issueCreditNote(
      before,
      invoice,
      { id: 'cn_1', reason: 'Damaged', ...creditedOf(invoice, [{ line: 0, quantity: 0.4 }]) },
      { number: 'CN-2026-000001', at: later, shop, calendar },
    );
    expect(books.invoices.get('inv_1')).toMatchObject({
      status: 'paid',
      paidAt: noon,
      amountPaid: 60,
      credited: 40,
      steps: invoice.steps,
    });
    expect(facts.map(({ type }) => type)).toEqual(['billing.credit-note-issued']);
    expect(books.account.unused).toBe(40);
    expectRight(books);
  });

  it('frees the account of invoices that were overdue for 30 days', () => {
    const issued = withIssued(someBooks(anAccount({ overdueInvoices: ['inv_1', 'inv_0'] })), tea(100)).books;
    expect(paid(issued, 'pay_1', 99, ['inv_1']).account.overdueInvoices).toEqual(['inv_1', 'inv_0']);
    expect(paid(issued, 'pay_1', 100, ['inv_1']).account.overdueInvoices).toEqual(['inv_0']);
  });

  it('is not owed any more for an invoice that is void', () => {
    const { books: before, invoice } = withIssued(someBooks(), tea(100));
    const { books } = voidInvoice(before, invoice, null, noon);
    expect(books.invoices.get('inv_1')).toMatchObject({ status: 'void', voidedAt: noon, nextStepAt: null });
    expect(books.account).toMatchObject({ outstanding: 0, unused: 0 });
    expect(books.entries.at(-1)).toMatchObject({ kind: 'void', amount: -100, balance: 0 });
    expectRight(books);
  });

  it('is entered no earlier than what was entered before', () => {
    const later = new Date(noon.getTime() + 5000);
    const books = paid(withIssued(someBooks(), tea(100), { at: later }).books, 'pay_1', 10, ['inv_1'], noon);
    expect(books.entries.map(({ at, sequence, amount, balance }) => [at, sequence, amount, balance])).toEqual([
      [later, 1, 100, 100],
      [later, 2, -10, 90],
    ]);
  });
});

it('is never made or lost, whatever happens in whatever order', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), lines, termsDays: fc.nat(90) }),
    fc.record({ kind: fc.constant('receive' as const), payment: fc.nat(3), amount: fc.nat(200_000), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('take-back' as const), payment: fc.nat(3), share: fc.nat(100) }),
    fc.record({ kind: fc.constant('credit' as const), at: fc.nat(9), share: fc.nat(1000) }),
    fc.record({ kind: fc.constant('void' as const), at: fc.nat(9) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let books = someBooks(anAccount({ limit: 1_000_000 }));
      for (const [count, each] of steps.entries()) {
        const at = new Date(noon.getTime() + count * 7 * 86_400_000);
        const all = [...books.invoices.values()];
        switch (each.kind) {
          case 'issue':
            books = withIssued(books, each.lines, {
              id: `inv_${count}`,
              number: `INV-2026-${String(count).padStart(6, '0')}`,
              at,
              termsDays: each.termsDays,
            }).books;
            break;
          case 'receive': {
            const ids = all.slice(each.at).map(({ id }) => id);
            books = paid(books, `pay_${each.payment}`, each.amount, ids, at);
            break;
          }
          case 'take-back': {
            const of = books.payments.get(`pay_${each.payment}`);
            if (!of) break;
            const { books: after } = takeBack(books, of.id, Math.floor((of.received * each.share) / 100), at);
            books = entered(books, after, { kind: 'refund', id: of.id, number: null }, at);
            break;
          }
          case 'credit': {
            const invoice = all[each.at];
            if (!invoice) break;
            const requested = invoice.lines
              .map((one, line) => ({ line, quantity: Math.floor(one.quantity * each.share) / 1000 }))
              .filter(({ quantity }) => quantity > 0);
            try {
              books = issueCreditNote(
                books,
                invoice,
                { id: `cn_${count}`, reason: 'Damaged', ...creditedOf(invoice, requested) },
                { number: `CN-2026-${count}`, at, shop, calendar },
              ).books;
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
            }
            break;
          }
          case 'void': {
            const invoice = all[each.at];
            if (!invoice || invoice.status === 'void') break;
            try {
              books = voidInvoice(books, invoice, null, at).books;
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
            }
            break;
          }
        }
        expectRight(books);
      }
    }),
    runs,
  );
});
