import { addDays } from '@storefront/calendar';
import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../src/domain/books.ts';
import { anAccount, anInvoice, berlin, stored } from './builders.ts';
import { admin, anonymous, person, startBilling, wrongFields, type Harness, type Person } from './harness.ts';

let billing: Harness;
beforeAll(async () => void (billing = await startBilling()));
afterAll(() => billing.close());

const path = (from: string, to: string, format?: string) =>
  `/v1/invoices/statement?from=${from}&to=${to}${format === undefined ? '' : `&format=${format}`}`;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const today = berlin.dayOf(new Date());

/** Stores an account with entries of its journal, each [time, kind, amount]. */
async function accountWith(
  entries: readonly (readonly [string, Entry['kind'], number])[],
  changes: Parameters<typeof anAccount>[0] = {},
): Promise<Person> {
  const account = anAccount({ entries: entries.length, ...changes });
  await billing.collection('accounts').insertOne(stored(account));
  let balance = 0;
  const journal = entries.map(([at, kind, amount], index) => {
    balance += amount;
    const sequence = index + 1;
    const number = kind === 'invoice' ? `INV-2026-00000${sequence}` : null;
    const id = newId(kind === 'invoice' ? 'inv' : 'pay');
    const entry = { accountId: account.id, sequence, at: new Date(at), kind, id, number, amount, balance };
    return { _id: `${account.id}/${sequence}`, ...entry };
  });
  if (journal.length > 0) await billing.collection('journal').insertMany(journal);
  return { id: account.id, role: 'trade' };
}

const ofThreeMonths = [
  ['2026-09-15T10:00:00Z', 'invoice', 10_000],
  ['2026-09-30T21:59:59.999Z', 'payment', -4000],
  ['2026-09-30T22:00:00Z', 'invoice', 3923],
  ['2026-10-20T10:00:00Z', 'payment', -12_000],
  ['2026-10-31T23:00:00Z', 'refund', 500],
] as const;

describe('the statement of an account', () => {
  it('has what changed the balance in the time, by the days of the shop', async () => {
    const who = await accountWith(ofThreeMonths);
    const { status, body } = await billing.call(who, 'GET', path('2026-10-01', '2026-11-01'));
    expect(status).toBe(200);
    expect(body).toEqual({
      accountId: who.id,
      from: '2026-10-01',
      to: '2026-11-01',
      currency: 'EUR',
      opening: euros(6000),
      entries: [
        {
          at: '2026-09-30T22:00:00.000Z',
          on: '2026-10-01',
          kind: 'invoice',
          number: 'INV-2026-000003',
          id: expect.stringMatching(/^inv_/),
          amount: euros(3923),
          balance: euros(9923),
        },
        {
          at: '2026-10-20T10:00:00.000Z',
          on: '2026-10-20',
          kind: 'payment',
          number: null,
          id: expect.stringMatching(/^pay_/),
          amount: euros(-12_000),
          balance: euros(-2077),
        },
      ],
      closing: euros(-2077),
      ageing: {
        notDue: euros(0),
        days1To30: euros(0),
        days31To60: euros(0),
        days61To90: euros(0),
        over90: euros(0),
        credit: euros(0),
      },
    });
  });

  it('of months that follow each other goes on from one to the next', async () => {
    const who = await accountWith(ofThreeMonths);
    const months = ['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01', '2026-12-01'];
    let closing = euros(0);
    for (const [index, from] of months.slice(0, -1).entries()) {
      const { body } = await billing.call(who, 'GET', path(from, months[index + 1] ?? ''));
      expect(body.opening).toEqual(closing);
      closing = body.closing;
    }
    expect(closing).toEqual(euros(-1577));
    const { body: empty } = await billing.call(who, 'GET', path('2026-12-01', '2026-12-02'));
    expect(empty).toMatchObject({ opening: euros(-1577), entries: [], closing: euros(-1577) });
  });

  it('says what is owed now by age, of open and overdue invoices of the account alone', async () => {
    const who = await accountWith([], { unused: 250 });
    const due = (days: number, changes: Parameters<typeof anInvoice>[2] = {}) =>
      anInvoice(addDays(today, days - 10), 10, { accountId: who.id, ...changes });
    const invoices = [
      due(0, { balance: 1 }),
      due(5, { balance: 2 }),
      due(-1, { balance: 10, status: 'overdue' }),
      due(-1, { balance: 20 }),
      due(-31, { balance: 100, status: 'overdue' }),
      due(-61, { balance: 1000, status: 'overdue' }),
      due(-91, { balance: 10_000, status: 'overdue' }),
      due(-40, { balance: 0, status: 'paid' }),
      due(-40, { balance: 9999, status: 'void' }),
      due(-40, { balance: 9999, accountId: newId('user') }),
    ];
    await billing.collection('invoices').insertMany(invoices.map(stored));
    const { body } = await billing.call(who, 'GET', path('2026-10-01', '2026-11-01'));
    expect(body.ageing).toEqual({
      notDue: euros(3),
      days1To30: euros(30),
      days31To60: euros(100),
      days61To90: euros(1000),
      over90: euros(10_000),
      credit: euros(250),
    });
  });

  it('is a CSV or a PDF where that is requested', async () => {
    const who = await accountWith(ofThreeMonths);
    const csv = await billing.call(who, 'GET', path('2026-10-01', '2026-11-01', 'csv'));
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.headers.get('cache-control')).toMatch(/^private/);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-10-01-2026-11-01.csv"');
    const german = await billing.call(who, 'GET', `${path('2026-10-01', '2026-11-01', 'csv')}&dialect=excel-de`);
    expect(german.body).toMatch(
      /^date;kind;number;id;amount;balance;currency\r\n2026-10-01;opening;;;;\d+,\d\d;EUR\r\n/,
    );
    const lines = csv.body.split('\r\n');
    expect(lines[1]).toBe('2026-10-01,opening,,,,60.00,EUR');
    expect(lines[2]).toMatch(/^2026-10-01,invoice,INV-2026-000003,inv_\w+,39\.23,99\.23,EUR$/);
    expect(lines[4]).toBe('2026-11-01,closing,,,,-20.77,EUR');

    const pdf = await billing.call(who, 'GET', path('2026-10-01', '2026-11-01', 'pdf'));
    expect(pdf.status).toBe(200);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toBe('inline; filename="statement-2026-10-01-2026-11-01.pdf"');
    expect(pdf.body.slice(0, 5)).toBe('%PDF-');
  });

  it('names what is wrong with the time', async () => {
    const who = await accountWith([]);
    const refused = async (from: string, to: string) => wrongFields(await billing.call(who, 'GET', path(from, to)));
    expect(await refused('2026-10-01', '2026-10-01')).toEqual({ '/to': 'invalid_value' });
    expect(await refused('2026-01-01', '2027-02-06')).toEqual({ '/to': 'too_big' });
    expect(await refused('2026-02-30', '2026-03-01')).toEqual({ '/from': 'invalid_format' });
    expect(wrongFields(await billing.call(who, 'GET', '/v1/invoices/statement'))).toEqual({
      '/from': 'required',
      '/to': 'required',
    });
    expect((await billing.call(who, 'GET', path('0001-01-01', '0001-02-01'))).status).toBe(200);
    expect((await billing.call(who, 'GET', path('9999-12-30', '9999-12-31'))).status).toBe(200);
  });

  it('of more than 5,000 entries is refused', async () => {
    const entries = Array.from({ length: 5001 }, (_, index) => {
      const at = new Date(Date.parse('2026-10-02T10:00:00Z') + index * 1000).toISOString();
      return [at, 'invoice', 100] as const;
    });
    const who = await accountWith(entries);
    const refused = await billing.call(who, 'GET', path('2026-10-01', '2026-11-01'));
    expect([refused.status, refused.body.code]).toEqual([422, 'statement_too_long']);
    const day = await billing.call(who, 'GET', path('2026-10-02', '2026-10-03'));
    expect(day.status).toBe(422);
  });

  it('is of the calling account: a trade account that is not known, or erased, has none', async () => {
    const erased = await accountWith(ofThreeMonths, { erasedAt: new Date() });
    const time = path('2026-10-01', '2026-11-01');
    expect((await billing.call(erased, 'GET', time)).status).toBe(404);
    expect((await billing.call(person('trade'), 'GET', time)).status).toBe(404);
    expect((await billing.call(person('retail'), 'GET', time)).status).toBe(403);
    expect((await billing.call(admin, 'GET', time)).status).toBe(403);
    expect((await billing.call(anonymous, 'GET', time)).status).toBe(401);
  });
});
