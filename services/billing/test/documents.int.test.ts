import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../src/domain/balance.ts';
import type { Invoice } from '../src/domain/invoice.ts';
import { aCreditNote, anAccount, anInvoice, stored } from './builders.ts';
import { admin, person, startBilling, type Harness, type Person } from './harness.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ settings: { BANK_IBAN: 'DE89 3704 0044 0532 0130 00' } });
});
afterAll(() => billing.close());

/** Stores an account with an invoice that was credited in part. */
async function accountWithInvoice(erasedAt: Date | null = null): Promise<{ owner: Person; invoice: Invoice }> {
  const account = anAccount({ erasedAt });
  const invoice = anInvoice('2026-11-01', 30, { accountId: account.id, creditNotes: [aCreditNote('2026-11-05')] });
  await billing.collection('accounts').insertOne(stored(account));
  await billing.collection('invoices').insertOne(stored(invoice));
  return { owner: { id: account.id, role: 'trade' }, invoice };
}

const noteOf = ({ creditNotes: [note] }: Invoice) => {
  if (!note) throw new Error('the invoice has no credit note');
  return note;
};

describe('invoices and credit notes as files', () => {
  it('are PDFs that a browser shows, and nobody else keeps', async () => {
    const { owner, invoice } = await accountWithInvoice();
    const note = noteOf(invoice);
    const files = [
      [owner, `/v1/invoices/${invoice.id}/pdf`, invoice.number],
      [owner, `/v1/invoices/${invoice.id}/credit-notes/${note.id}/pdf`, note.number],
      [admin, `/v1/trade-accounts/${owner.id}/invoices/${invoice.id}/pdf`, invoice.number],
      [admin, `/v1/trade-accounts/${owner.id}/invoices/${invoice.id}/credit-notes/${note.id}/pdf`, note.number],
    ] as const;
    for (const [who, path, number] of files) {
      const answer = await billing.call(who, 'GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`);
      expect(answer.headers.get('cache-control')).toMatch(/^private/);
      expect(answer.body.slice(0, 5)).toBe('%PDF-');
    }
  });

  it('are e-invoices with the number, the sums and where to pay', async () => {
    const { owner, invoice } = await accountWithInvoice();
    const answer = await billing.call(owner, 'GET', `/v1/invoices/${invoice.id}/xml`);
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${invoice.number}.xml"`);
    expect(answer.body).toContain(`<cbc:ID>${invoice.number}</cbc:ID>`);
    expect(answer.body).toContain('Teahaus Müller GmbH');
    expect(answer.body).toMatch(/<cbc:PayableAmount currencyID="EUR">39\.23</);
    expect(answer.body).toContain('DE89370400440532013000');

    const note = noteOf(invoice);
    const credited = await billing.call(owner, 'GET', `/v1/invoices/${invoice.id}/credit-notes/${note.id}/xml`);
    expect(credited.headers.get('content-disposition')).toBe(`inline; filename="${note.number}.xml"`);
    expect(credited.body).toContain(`<cbc:ID>${note.number}</cbc:ID>`);
    expect(credited.body).toContain(invoice.number);
    expect(credited.body).toMatch(/<cbc:PayableAmount currencyID="EUR">13\.08</);
  });

  it('say the same after the invoice was paid', async () => {
    const { owner, invoice } = await accountWithInvoice();
    const read = async () => (await billing.call(owner, 'GET', `/v1/invoices/${invoice.id}/xml`)).body;
    const before = await read();
    const at = new Date();
    const payments = [{ paymentId: newId('pay'), amount: 100, at }];
    const { id: _id, ...paid } = settled(invoice, { payments }, at);
    await billing.collection('invoices').updateOne({ _id: invoice.id }, { $set: paid });
    expect(await read()).toBe(before);
  });

  it('of others look absent', async () => {
    const { owner, invoice } = await accountWithInvoice();
    const { owner: other, invoice: otherInvoice } = await accountWithInvoice();
    const gone = await accountWithInvoice(new Date());
    const note = noteOf(invoice);
    const absent = [
      [other, `/v1/invoices/${invoice.id}/pdf`],
      [other, `/v1/invoices/${invoice.id}/xml`],
      [other, `/v1/invoices/${invoice.id}/credit-notes/${note.id}/pdf`],
      [other, `/v1/invoices/${invoice.id}/credit-notes/${note.id}/xml`],
      [owner, `/v1/invoices/${invoice.id}/credit-notes/${noteOf(otherInvoice).id}/pdf`],
      [owner, `/v1/invoices/${invoice.id}/credit-notes/${newId('cn')}/xml`],
      [owner, `/v1/invoices/${newId('inv')}/pdf`],
      [owner, '/v1/invoices/nonsense/pdf'],
      [admin, `/v1/trade-accounts/${other.id}/invoices/${invoice.id}/pdf`],
      [admin, `/v1/trade-accounts/${newId('user')}/invoices/${invoice.id}/pdf`],
      [admin, `/v1/trade-accounts/${other.id}/invoices/${invoice.id}/credit-notes/${note.id}/pdf`],
      [admin, `/v1/trade-accounts/${other.id}/invoices/${otherInvoice.id}/credit-notes/${note.id}/pdf`],
      [gone.owner, `/v1/invoices/${gone.invoice.id}/pdf`],
      [admin, `/v1/trade-accounts/${gone.owner.id}/invoices/${gone.invoice.id}/pdf`],
    ] as const;
    for (const [who, path] of absent) {
      const { status, headers } = await billing.call(who, 'GET', path);
      expect([path, status, headers.get('content-disposition')]).toEqual([path, 404, null]);
    }
    expect((await billing.call(person('retail'), 'GET', `/v1/invoices/${invoice.id}/pdf`)).status).toBe(403);
    expect((await billing.call(admin, 'GET', `/v1/invoices/${invoice.id}/pdf`)).status).toBe(403);
    expect((await billing.call(owner, 'GET', `/v1/trade-accounts/${owner.id}/invoices/${invoice.id}/pdf`)).status).toBe(
      403,
    );
  });
});
