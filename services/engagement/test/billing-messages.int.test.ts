import { billingEvents, identityEvents, newId, userDataEvents, type Event, type Reading } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
const erased = new Set<string>();
beforeAll(async () => {
  service = await startEngagement({ bus: 'rabbitmq' });
  await service.bus.broadcast({
    name: 'answers',
    types: [userDataEvents.engagement.erased.type],
    handle: ({ subject }) => erased.add(subject),
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.notifications.deleteMany({ audience: 'role:admin' });
});

let made = 0;
/** A trade account whose email is known. */
async function tradeAccount() {
  made += 1;
  const who = { sub: newId('user'), role: 'trade', sid: 'sess_test', ver: 1 } as const;
  const email = `buyer${made}@example.com`;
  await service.publish(snapshotOf(who.sub, email));
  await eventually(() => service.collection('recipients').findOne({ _id: who.sub }), 'the recipient');
  return { who, id: who.sub, email };
}
type TradeAccount = Awaited<ReturnType<typeof tradeAccount>>;

const snapshotOf = (id: string, email: string, reading: Reading = {}) =>
  service.event(identityEvents.userSnapshot, id, {
    email,
    firstName: 'Ada',
    lastName: 'Lovelace',
    ...reading,
    role: 'trade',
  });

const number = 'INV-2026-000123';
const currency = 'EUR';
const party = { businessName: 'Quay 3 Ltd', address: '1 Mill Lane', country: 'NL', vatNumber: null };
const line = {
  description: 'A blue mug',
  sku: null,
  quantity: 1.5,
  unitPrice: 2421,
  discount: 0,
  taxRate: 19,
  net: 3632,
};
const content = {
  currency,
  issuedAt: '2026-11-21T09:30:00.000Z',
  issuedOn: '2026-11-21',
  buyer: party,
  seller: party,
  bank: { name: 'Tea Bank', iban: 'NL91ABNA0417164300', bic: null },
  taxes: [{ rate: 19, base: 3632, amount: 649 }],
  taxTreatment: 'domestic' as const,
  reverseCharge: false,
  subtotal: 3632,
  tax: 649,
  total: 4281,
};
const paid = { paidAt: '2026-12-01T09:30:00.000Z', issuedAt: content.issuedAt };
const documentOf = (lines = [line]) => ({
  ...content,
  lines,
  number,
  reference: null,
  orderRef: null,
  dueOn: '2026-12-21',
  termsDays: 30,
});
const creditNote = {
  ...content,
  lines: [line],
  number: 'CN-2026-000001',
  reason: 'Broken',
  invoiceNumber: number,
  invoiceIssuedOn: '2026-11-21',
};
const invoiceId = newId('inv');
const invoiceOf = (accountId: string) => ({
  accountId,
  number,
  currency,
  total: 4281,
  balance: 4281,
  dueOn: '2026-12-21',
});
const issued = (accountId: string, document = documentOf()) =>
  service.event(billingEvents.invoiceIssued, invoiceId, { ...invoiceOf(accountId), orderRef: null, document });
const paymentOf = (accountId: string | null) => ({ accountId, provider: 'demo', currency, amount: 6000 });
const allocations = [{ invoiceId, number, amount: 4281 }];
const refunded = (accountId: string | null) =>
  service.event(billingEvents.paymentRefunded, 'pay_1', {
    ...paymentOf(accountId),
    kind: 'dispute',
    allocations,
    credit: 1719,
  });
const exceeded = (accountId: string) =>
  service.event(billingEvents.creditExceeded, accountId, {
    currency,
    limit: 100_000,
    outstanding: 81_000,
    orderRef: 'ord-7',
    total: 30_000,
    reason: 'limit',
  });
const notInvoiced = (accountId: string) =>
  service.event(billingEvents.orderNotInvoiced, accountId, { orderRef: 'ord-8', reason: 'no-lines' });

const shown = async ({ who }: Pick<TradeAccount, 'who'>) =>
  (await service.request(who, 'GET', '/v1/notifications')).body.data;
const shownToAdministrators = async () =>
  (await service.request(service.people.admin, 'GET', '/v1/notifications')).body.data;
const mailsTo = ({ email }: Pick<TradeAccount, 'email'>) => service.mails.to(email);
const delivered = ({ email }: Pick<TradeAccount, 'email'>, template: string) =>
  eventually(() => service.deliveries.findOne({ email, template, status: 'delivered' }), `the mail ${template}`);
/** Waits for an event that is behind all others in the same queue: what they do wrong, they have most likely done. */
async function afterAllBefore(): Promise<void> {
  const last = newId('user');
  await service.publish(notInvoiced(last));
  await eventually(
    () => service.notifications.findOne({ 'data.tradeAccountId': last }),
    'the notification of the last event',
  );
  await service.notifications.deleteMany({ 'data.tradeAccountId': last });
}

describe('an event of billing', () => {
  const aboutInvoice = { invoiceId, number };
  const events: readonly (readonly [
    type: string,
    subject: string,
    data: object,
    event: (account: TradeAccount) => Event<any>,
  ])[] = [
    ['invoice-issued', 'Your invoice INV-2026-000123', aboutInvoice, ({ id }) => issued(id)],
    [
      'invoice-reminded',
      'Invoice INV-2026-000123 is due on 21 December 2026',
      aboutInvoice,
      ({ id }) => service.event(billingEvents.invoiceReminded, invoiceId, { ...invoiceOf(id), days: -3 }),
    ],
    [
      'invoice-overdue',
      'Invoice INV-2026-000123 is overdue',
      aboutInvoice,
      ({ id }) => service.event(billingEvents.invoiceOverdue, invoiceId, invoiceOf(id)),
    ],
    [
      'invoice-paid',
      'Invoice INV-2026-000123 is paid',
      aboutInvoice,
      ({ id }) => service.event(billingEvents.invoicePaid, invoiceId, { ...invoiceOf(id), balance: 0, ...paid }),
    ],
    [
      'invoice-voided',
      'Invoice INV-2026-000123 is void',
      aboutInvoice,
      ({ id }) =>
        service.event(billingEvents.invoiceVoided, invoiceId, {
          ...invoiceOf(id),
          orderRef: null,
          balance: 0,
          reason: 'Twice',
        }),
    ],
    [
      'credit-note-issued',
      'Credit note CN-2026-000001 for invoice INV-2026-000123',
      aboutInvoice,
      ({ id }) =>
        service.event(billingEvents.creditNoteIssued, invoiceId, {
          ...invoiceOf(id),
          orderRef: null,
          balance: 0,
          creditNoteId: 'cn_1',
          document: creditNote,
        }),
    ],
    [
      'payment-received',
      'Your payment has arrived',
      { paymentId: 'pay_1' },
      ({ id }) =>
        service.event(billingEvents.paymentReceived, 'pay_1', { ...paymentOf(id), allocations, credit: 1719 }),
    ],
    ['payment-refunded', 'A payment was disputed', { paymentId: 'pay_1', kind: 'dispute' }, ({ id }) => refunded(id)],
    [
      'credit-warning',
      'Your credit is nearly used up',
      {},
      ({ id }) => service.event(billingEvents.creditWarning, id, { currency, limit: 100_000, outstanding: 81_000 }),
    ],
    ['credit-exceeded', 'An order was not invoiced', { orderRef: 'ord-7' }, ({ id }) => exceeded(id)],
  ];

  it.each(events)('is one mail and one notification, however often it comes: %s', async (type, subject, data, make) => {
    const account = await tradeAccount();
    const event = make(account);
    await service.publish(event, event, event);
    await delivered(account, type);
    await service.publish(event);
    await afterAllBefore();
    expect(mailsTo(account).map((mail) => mail.subject)).toEqual([subject]);
    expect(await shown(account)).toEqual([
      {
        id: expect.stringMatching(/^ntf_/),
        type,
        title: subject,
        body: expect.any(String),
        data,
        readAt: null,
        createdAt: expect.any(String),
      },
    ]);
    const headers = Object.fromEntries((mailsTo(account)[0]?.headers ?? []).map(({ key, value }) => [key, value]));
    expect(headers['list-unsubscribe']).toBeUndefined();
    expect(await service.deliveries.countDocuments({ userId: account.id })).toBe(1);
  });

  it('a payment of which nothing became credit is a notification only', async () => {
    const account = await tradeAccount();
    const data = { ...paymentOf(account.id), amount: 4281, allocations, credit: 0 };
    await service.publish(service.event(billingEvents.paymentReceived, 'pay_2', data));
    await eventually(async () => (await shown(account)).length === 1, 'the notification');
    expect(await shown(account)).toMatchObject([
      { body: 'Thank you: your payment of €42.81 has arrived. It paid INV-2026-000123 (€42.81).' },
    ]);
    await afterAllBefore();
    expect(await service.deliveries.countDocuments({ userId: account.id })).toBe(0);
  });

  it('notifies administrators of orders without an invoice, of money that waits and of money that went back, once', async () => {
    const account = await tradeAccount();
    const unallocated = service.event(billingEvents.paymentUnallocated, 'pay_3', {
      ...paymentOf(null),
      reason: 'unknown_invoice',
    });
    const all = [notInvoiced(account.id), exceeded(account.id), unallocated, refunded(null)];
    await service.publish(...all, ...all);
    await eventually(async () => (await shownToAdministrators()).length >= 4, 'the notifications');
    await afterAllBefore();
    const found = await shownToAdministrators();
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'order-not-invoiced',
          data: expect.objectContaining({ tradeAccountId: account.id }),
        }),
        expect.objectContaining({ type: 'order-beyond-credit', data: expect.objectContaining({ orderRef: 'ord-7' }) }),
        expect.objectContaining({
          type: 'payment-unallocated',
          data: { paymentId: 'pay_3', reason: 'unknown_invoice' },
        }),
        expect.objectContaining({ type: 'payment-went-back', data: { paymentId: 'pay_1', kind: 'dispute' } }),
      ]),
    );
    expect((await shown(account)).map(({ type }: { type: string }) => type)).toEqual(['credit-exceeded']);
  });

  it('leaves no notification where they are switched off; the mail stays', async () => {
    const account = await tradeAccount();
    const types = { invoices: { IN_APP: false } };
    await service.request(account.who, 'PUT', '/v1/notifications/preferences', { types });
    await service.publish(issued(account.id));
    await delivered(account, 'invoice-issued');
    expect(await shown(account)).toEqual([]);
  });
});

describe('the mail of an invoice', () => {
  it('carries the invoice, of 200 lines too, and its delivery keeps no copy of it', async () => {
    const account = await tradeAccount();
    const long = documentOf(Array.from({ length: 200 }, () => ({ ...line, description: 'Ω'.repeat(100) })));
    await service.publish(issued(account.id, long));
    const delivery = await delivered(account, 'invoice-issued');
    const [mail] = mailsTo(account);
    expect(mail?.attachments).toHaveLength(1);
    const [attachment] = mail?.attachments ?? [];
    expect(attachment).toMatchObject({
      filename: 'INV-2026-000123.pdf',
      mimeType: 'application/pdf',
      disposition: 'attachment',
    });
    expect(
      Buffer.from(attachment?.content as ArrayBuffer)
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(mail?.text).toContain('https://shop.example/invoices/' + invoiceId);
    expect(mail?.text).toContain('IBAN: NL91 ABNA 0417 1643 00\nPayment reference: INV-2026-000123');
    expect(delivery.mail).toBeNull();
  });

  it('waits until it is known where mails to the account go, and in which language', async () => {
    const who = { sub: newId('user'), role: 'trade', sid: 'sess_test', ver: 1 } as const;
    const [id, email] = [who.sub, 'early@example.com'];
    await service.publish(issued(id));
    await afterAllBefore();
    expect(await service.deliveries.countDocuments({ userId: id })).toBe(0);
    await service.publish(snapshotOf(id, email, { locale: 'de' }));
    await delivered({ email }, 'invoice-issued');
    expect(mailsTo({ email }).map(({ subject }) => subject)).toEqual(['Ihre Rechnung INV-2026-000123']);
    expect(await shown({ who })).toMatchObject([
      { title: 'Ihre Rechnung INV-2026-000123', body: expect.stringMatching(/ist am 21\. Dezember 2026 fällig\.$/) },
    ]);
  });
});

describe('an account that is erased', () => {
  async function erase({ id, email }: TradeAccount): Promise<void> {
    await service.publish(service.event(identityEvents.userErasureRequested, id, { email, role: 'trade' }));
    await eventually(() => erased.has(id), 'the erasure');
  }
  /** How many deliveries and notifications name the account or what stands on its invoice. */
  async function traces({ id, email }: TradeAccount): Promise<number> {
    const documents = [
      ...(await service.deliveries.find().toArray()),
      ...(await service.notifications.find().toArray()),
    ];
    return documents.filter((document) => {
      const text = JSON.stringify(document);
      return text.includes(id) || text.includes(email);
    }).length;
  }

  it('leaves no message about its invoices, also where a mail still waited', async () => {
    const account = await tradeAccount();
    const hour = (offset: number) => `${String((new Date().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    const quietHours = { start: hour(-1), end: hour(2), timeZone: 'UTC' };
    await service.request(account.who, 'PUT', '/v1/notifications/preferences', { quietHours });
    await service.publish(issued(account.id), exceeded(account.id));
    await eventually(
      async () => (await service.deliveries.countDocuments({ userId: account.id, status: 'pending' })) === 2,
      'the mails that wait',
    );
    await afterAllBefore();
    expect(await traces(account)).toBe(5);
    await erase(account);
    await eventually(async () => (await traces(account)) === 0, 'nothing about the account');
    const content = JSON.stringify(await service.deliveries.find({ template: 'invoice-issued' }).toArray());
    expect(content).not.toContain('Quay 3 Ltd');
    expect(mailsTo(account).map(({ subject }) => subject)).toEqual(['Your account is being erased']);
  });

  it('gets no more messages; administrators do, without its id', async () => {
    const account = await tradeAccount();
    await erase(account);
    await service.publish(issued(account.id), exceeded(account.id), notInvoiced(account.id), refunded(account.id));
    await eventually(async () => (await shownToAdministrators()).length >= 3, 'the notifications');
    await afterAllBefore();
    expect(await traces(account)).toBe(0);
    const found = (await shownToAdministrators()) as { type: string; data: object }[];
    expect(Object.fromEntries(found.map(({ type, data }) => [type, data]))).toEqual({
      'order-beyond-credit': { orderRef: 'ord-7', reason: 'limit' },
      'order-not-invoiced': { orderRef: 'ord-8', reason: 'no-lines' },
      'payment-went-back': { paymentId: 'pay_1', kind: 'dispute' },
    });
    expect(mailsTo(account)).toHaveLength(1);
  });
});
