import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBooks } from './assert-books.ts';
import { admin, startBilling, statuses, times, wrongFields, type Harness } from './harness.ts';
import { receiveMoney } from './money.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ instances: 2 });
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const lines = [
  { description: 'Assam, 1 kg', sku: 'TEA-1', quantity: 3, unitPrice: eur(1099), discount: eur(297), taxRate: 19 },
  { description: 'Handbuch', quantity: 1, unitPrice: eur(335), taxRate: 7 },
];
async function issued() {
  const buyer = await billing.newAccount();
  const { body } = await billing.call(admin, 'POST', '/v1/invoices', { accountId: buyer.id, lines });
  return { buyer, invoice: body };
}
const credit = (id: string, body: object = {}, headers = {}) =>
  billing.call(admin, 'POST', `/v1/invoices/${id}/credit-notes`, { reason: 'Damaged on the way', ...body }, headers);

const invoiceOf = async (buyer: { id: string }, id: string) =>
  (await billing.call(admin, 'GET', `/v1/trade-accounts/${buyer.id}/invoices/${id}`)).body;

describe('a credit note', () => {
  it('for a part says what it credits, and the invoice what is left', async () => {
    const { buyer, invoice } = await issued();
    const answer = await credit(invoice.id, { lines: [{ line: 0, quantity: 1 }] });
    expect(answer.status).toBe(201);
    const { invoiceId, accountId, ...note } = answer.body;
    expect({ invoiceId, accountId }).toEqual({ invoiceId: invoice.id, accountId: buyer.id });
    expect(note).toEqual({
      id: expect.stringMatching(/^cn_/),
      number: expect.stringMatching(/^CN-\d{4}-\d{6}$/),
      issuedAt: expect.any(String),
      issuedOn: expect.any(String),
      reason: 'Damaged on the way',
      lines: [{ ...lines[0], quantity: 1, discount: eur(99), net: eur(1000) }],
      taxes: [{ rate: 19, base: eur(1000), amount: eur(190) }],
      subtotal: eur(1000),
      tax: eur(190),
      total: eur(1190),
    });
    const path = `/v1/trade-accounts/${buyer.id}/invoices/${invoice.id}/credit-notes/${note.id}`;
    expect(answer.headers.get('location')).toBe(path);
    expect(await billing.call(admin, 'GET', path)).toMatchObject({ status: 200, body: answer.body });
    expect((await billing.call(buyer, 'GET', path)).status).toBe(403);
    expect((await billing.call(buyer, 'GET', `/v1/invoices/${invoice.id}`)).body).toEqual({
      ...invoice,
      credited: eur(1190),
      balance: eur(invoice.total.amount - 1190),
      creditNotes: [note],
    });
    await billing.idle();
    const [published] = billing.eventsOf(invoice.id, 'billing.credit-note-issued');
    expect(published?.data).toMatchObject({
      accountId: buyer.id,
      number: invoice.number,
      balance: invoice.total.amount - 1190,
      creditNoteId: note.id,
      document: {
        number: note.number,
        invoiceNumber: invoice.number,
        invoiceIssuedOn: invoice.issuedOn,
        reason: 'Damaged on the way',
        total: 1190,
      },
    });
    expect(billing.eventsOf(invoice.id, 'billing.invoice-balance-changed').at(-1)?.data).toEqual({
      accountId: buyer.id,
      number: invoice.number,
      currency: 'EUR',
      total: invoice.total.amount,
      balance: invoice.total.amount - 1190,
      dueOn: invoice.dueOn,
      delta: -1190,
      reason: 'credited',
      changedAt: note.issuedAt,
    });
    expect(billing.eventsOf(invoice.id, 'billing.action-audited').at(-1)?.data).toMatchObject({
      action: 'credit-note-issued',
      about: buyer.id,
      details: { creditNote: note.number, reason: 'Damaged on the way' },
    });
    await assertBooks(billing);
  });

  it('for all that is left ends at the total and the tax of each rate; then nothing is left', async () => {
    const { buyer, invoice } = await issued();
    await credit(invoice.id, { lines: [{ line: 0, quantity: 0.333 }] });
    await credit(invoice.id, { lines: [{ line: 0, quantity: 1.1 }] });
    await credit(invoice.id);
    const credited = await invoiceOf(buyer, invoice.id);
    expect(credited).toMatchObject({ status: 'paid', credited: invoice.total, balance: eur(0) });
    const taxes = credited.creditNotes.flatMap((note: any) => note.taxes);
    for (const { rate, amount } of invoice.taxes) {
      const sum = taxes
        .filter((row: any) => row.rate === rate)
        .reduce((so: number, row: any) => so + row.amount.amount, 0);
      expect(sum).toBe(amount.amount);
    }
    const more = await credit(invoice.id);
    expect([more.status, more.body.code]).toEqual([422, 'nothing_to_credit']);
    await billing.idle();
    // Nobody has paid it.
    expect(billing.eventsOf(invoice.id, 'billing.invoice-paid')).toEqual([]);
    await assertBooks(billing);
  });

  it('makes credit of what was paid beyond the remaining total', async () => {
    const { buyer, invoice } = await issued();
    await receiveMoney(billing, buyer.id, invoice.total.amount - 100, [invoice.id]);
    await credit(invoice.id, { lines: [{ line: 0, quantity: 1 }] });
    expect(await invoiceOf(buyer, invoice.id)).toMatchObject({
      status: 'paid',
      balance: eur(0),
      credited: eur(1190),
      amountPaid: eur(invoice.total.amount - 1190),
    });
    expect((await billing.call(buyer, 'GET', '/v1/invoices/credit')).body).toMatchObject({
      outstanding: eur(0),
      credit: eur(1090),
    });
    await assertBooks(billing);
  });

  it('is made once under one Idempotency-Key, and only at the version that was read', async () => {
    const { buyer, invoice } = await issued();
    const key = { 'idempotency-key': newId('evt') };
    const body = { lines: [{ line: 0, quantity: 1 }] };
    const answers = await times(3, () => credit(invoice.id, body, key));
    expect(statuses(answers)).toEqual({ 201: 3 });
    expect((await credit(invoice.id, body, key)).body).toEqual(answers[0]?.body);
    expect((await invoiceOf(buyer, invoice.id)).creditNotes).toHaveLength(1);
    const stale = await credit(invoice.id, body, { 'if-match': '"1"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  });

  it('is of lines that are there, and of no more than is left', async () => {
    const { invoice } = await issued();
    const unknown = await credit(invoice.id, { lines: [{ line: 2, quantity: 1 }] });
    expect([unknown.status, wrongFields(unknown)]).toEqual([400, { '/lines/0/line': 'not_found' }]);
    const beyond = await credit(invoice.id, {
      lines: [
        { line: 0, quantity: 4 },
        { line: 1, quantity: 1.5 },
      ],
    });
    expect([beyond.status, beyond.body.code, wrongFields(beyond)]).toEqual([
      422,
      'nothing_to_credit',
      { '/lines/0/quantity': 'more_than_left', '/lines/1/quantity': 'more_than_left' },
    ]);
    const twice = await credit(invoice.id, {
      lines: [
        { line: 0, quantity: 1 },
        { line: 0, quantity: 1 },
      ],
    });
    expect(twice.status).toBe(400);
    expect((await credit(newId('inv'))).status).toBe(404);
  });

  it('credits no more than there is where many come at once, and their numbers have no gap', async () => {
    const { invoice } = await issued();
    const answers = await times(12, (index) =>
      billing.callOn(index % 2, admin, 'POST', `/v1/invoices/${invoice.id}/credit-notes`, {
        lines: [{ line: 0, quantity: 0.5 }],
        reason: 'Damaged',
      }),
    );
    expect(statuses(answers)).toEqual({ 201: 6, 422: 6 });
    const all = await billing.collection('invoices').find().toArray();
    const numbers = all.flatMap(({ creditNotes }) => creditNotes.map((note: any) => Number(note.number.slice(8))));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    await assertBooks(billing);
  });
});
