import { gzipSync } from 'node:zlib';
import { eventually } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBalancesPublished, assertBooks } from './assert-books.ts';
import { demoBody, send, signed, unknownPayment, type Stated } from './callbacks.ts';
import { admin, demoSecret, person, startBilling, type Harness, type Person } from './harness.ts';

let billing: Harness;
const otherSecret = 'another secret of the tests';

beforeAll(async () => {
  billing = await startBilling({ settings: { DEMO_PAYMENT_SECRETS: `${demoSecret},${otherSecret}` } });
});
afterEach(async () => {
  await assertBooks(billing);
  await assertBalancesPublished(billing);
});
afterAll(() => billing.close());

/** Sends what the provider says, and waits until all of it is worked off; the entries of the ledger, in the order of sending. */
async function state(...stated: readonly Stated[]) {
  const entries = [];
  for (const each of stated) {
    const body = demoBody(each);
    const { id } = JSON.parse(body) as { id: string };
    expect(await send(billing, body)).toMatchObject({ status: 200, body: { received: true } });
    entries.push(await entryOf(id));
  }
  return entries;
}

/** The entry of an event, once its work is done. */
const entryOf = (eventId: string) =>
  eventually(async () => {
    const [entry] = await billing
      .collection('callbacks')
      .find({ eventId, outcome: { $ne: 'duplicate' } })
      .toArray();
    return entry && entry['outcome'] !== 'received' ? entry : null;
  }, `the work of ${eventId}`);

const invoice = async (id: string) => await billing.collection('invoices').findOne({ _id: id as any });
const account = async ({ id }: Person) => await billing.collection('accounts').findOne({ _id: id as any });
const payment = async (id: string) => await billing.collection('payments').findOne({ _id: id as any });
const ledger = async () => await billing.collection('callbacks').find({}).sort({ receivedAt: 1, _id: 1 }).toArray();
const eventDataOf = async (subject: string, type: string) =>
  await eventually(() => billing.eventsOf(subject, type).at(-1)?.data, `${type} of ${subject}`);

/** A trade account with invoices of these totals, the first due first, and a payment of them that waits. */
async function waiting(...totals: readonly number[]) {
  const { owner, invoices } = await accountWith(
    billing,
    totals.map((total, at) => ({ total, due: 10 + at })),
  );
  const made = await billing.call(owner, 'POST', '/v1/payments', { invoiceIds: invoices.map(({ id }) => id) });
  expect(made.status).toBe(201);
  return { owner, invoices, paymentId: made.body.id as string };
}

describe('money that came', () => {
  it('pays the invoices of its payment, the oldest due first, and is published', async () => {
    const { owner, invoices, paymentId } = await waiting(3000, 5000);
    const [entry] = await state({ paymentId, amount: 4000, reference: 'tr_pays' });
    expect(entry).toMatchObject({ outcome: 'done', reason: null, paymentId, provider: 'demo', address: '192.0.2.7' });
    const [first, second] = invoices.map(({ id }) => id) as [string, string];
    expect(await invoice(first)).toMatchObject({ status: 'paid', balance: 0, payments: [{ paymentId, amount: 3000 }] });
    expect(await invoice(second)).toMatchObject({ status: 'open', amountPaid: 1000, balance: 4000, paidAt: null });
    expect(await account(owner)).toMatchObject({ outstanding: 4000, unused: 0 });
    expect(await billing.collection('journal').findOne({ accountId: owner.id, kind: 'payment' })).toMatchObject({
      sequence: 3,
      id: paymentId,
      amount: -4000,
      balance: 4000,
    });
    expect(await eventDataOf(paymentId, 'billing.payment-received')).toEqual({
      accountId: owner.id,
      provider: 'demo',
      currency: 'EUR',
      amount: 4000,
      allocations: [
        { invoiceId: first, number: invoices[0]?.number, amount: 3000 },
        { invoiceId: second, number: invoices[1]?.number, amount: 1000 },
      ],
      credit: 0,
    });
    const { issuedAt } = (await invoice(first)) as unknown as { issuedAt: Date };
    expect(await eventDataOf(first, 'billing.invoice-paid')).toMatchObject({
      accountId: owner.id,
      balance: 0,
      issuedAt: issuedAt.toISOString(),
    });
    expect(billing.eventsOf(second, 'billing.invoice-paid')).toEqual([]);
  });

  it('is credit where it is more than is owed', async () => {
    const { owner, invoices, paymentId } = await waiting(3000);
    await state({ paymentId, amount: 5000, reference: 'tr_more' });
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'paid' });
    expect(await account(owner)).toMatchObject({ outstanding: 0, unused: 2000 });
    expect(await payment(paymentId)).toMatchObject({ status: 'succeeded', received: 5000, remainder: 2000 });
    expect(await eventDataOf(paymentId, 'billing.payment-received')).toMatchObject({ amount: 5000, credit: 2000 });
  });

  it('by the number of an invoice alone is a payment of its account', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    const [{ id, number }] = invoices as [{ id: string; number: string }];
    const [entry] = await state({ invoiceNumber: number, amount: 3000, reference: 'tr_number' });
    expect(entry).toMatchObject({ outcome: 'done' });
    expect(await payment(entry?.['paymentId'])).toMatchObject({
      accountId: owner.id,
      asked: null,
      invoiceIds: [id],
      status: 'succeeded',
    });
    expect(await invoice(id)).toMatchObject({ status: 'paid' });
  });

  it('that failed changes nothing, and may come yet', async () => {
    const { invoices, paymentId } = await waiting(3000);
    await state({ paymentId, type: 'payment.failed', amount: 3000, reference: 'tr_failed' });
    expect(await payment(paymentId)).toMatchObject({ status: 'failed', received: 0 });
    await state({ paymentId, amount: 3000, reference: 'tr_failed' });
    expect(await payment(paymentId)).toMatchObject({ status: 'succeeded', received: 3000 });
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'paid' });
  });

  it('counts once, however often it is sent', async () => {
    const { invoices, paymentId } = await waiting(3000);
    const body = demoBody({ id: 'evt_again', paymentId, amount: 1000, reference: 'tr_again' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(billing, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await entryOf('evt_again');
    await billing.idle();
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ amountPaid: 1000 });
    const entries = (await ledger()).filter(({ eventId }) => eventId === 'evt_again');
    expect(entries.map(({ outcome }) => String(outcome)).toSorted()).toEqual(['done', ...Array(4).fill('duplicate')]);
    for (const { outcome, deleteAt, body: kept } of entries) {
      expect([deleteAt === null, kept === null]).toEqual([outcome === 'done', outcome !== 'done']);
    }
  });
});

describe('money that went back', () => {
  it.each([
    ['payment.refunded', 'refund', 'refunded'],
    ['payment.disputed', 'dispute', 'disputed'],
  ])('by %s is owed again, and is published', async (type, kind, status) => {
    const { owner, invoices, paymentId } = await waiting(3000, 5000);
    const reference = `tr_back_${kind}`;
    await state({ paymentId, amount: 9000, reference }, { paymentId, type, amount: 7000, reference });
    const [first, second] = invoices.map(({ id }) => id) as [string, string];
    expect(await invoice(first)).toMatchObject({ status: 'open', amountPaid: 2000, paidAt: null });
    expect(await invoice(second)).toMatchObject({ status: 'open', amountPaid: 0, payments: [] });
    expect(await account(owner)).toMatchObject({ outstanding: 6000, unused: 0 });
    expect(await payment(paymentId)).toMatchObject({ status: 'succeeded', received: 2000, refunded: 7000 });
    expect(await eventDataOf(paymentId, 'billing.payment-refunded')).toMatchObject({
      kind,
      amount: 7000,
      credit: 1000,
    });
    await state({ paymentId, type, amount: 2000, reference });
    expect(await payment(paymentId)).toMatchObject({ status, received: 0, refunded: 9000, allocations: [] });
  });

  it('may be stated before it came, under the name of the payment or of the transfer alone', async () => {
    for (const target of ['payment', 'transfer'] as const) {
      const { invoices, paymentId } = await waiting(3000);
      const reference = `tr_early_${target}`;
      const [early] = await state({
        ...(target === 'payment' ? { paymentId } : {}),
        type: 'payment.refunded',
        amount: 1000,
        reference,
      });
      expect(early?.['outcome']).toBe(target === 'payment' ? 'done' : 'failed');
      await state({ paymentId, amount: 3000, reference });
      expect(await payment(paymentId)).toMatchObject({ status: 'succeeded', received: 2000, refunded: 1000 });
      expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'open', amountPaid: 2000 });
      const list = await billing.call(admin, 'GET', '/v1/payments?limit=100');
      const shown = list.body.data.filter(({ id }: { id: string }) => id === early?.['paymentId']);
      expect(shown).toHaveLength(target === 'payment' ? 1 : 0);
    }
  });
});

describe('money that nobody can place', () => {
  it.each<[what: string, stated: Stated, reason: string]>([
    ['an unknown payment', { paymentId: unknownPayment }, 'unknown_payment'],
    ['a payment that is none', { paymentId: 'nonsense' }, 'unknown_payment'],
    ['nothing', {}, 'unknown_payment'],
    ['an unknown invoice', { invoiceNumber: 'INV-1999-000001' }, 'unknown_invoice'],
  ])('for %s is kept, failed and published', async (what, stated, reason) => {
    const [entry] = await state({ ...stated, amount: 700, reference: `tr_${what.replaceAll(' ', '_')}` });
    expect(entry).toMatchObject({ outcome: 'failed', reason });
    const kept = { accountId: null, status: 'unallocated', remainder: 700, unallocatedReason: reason };
    expect(await payment(entry?.['paymentId'])).toMatchObject(kept);
    expect(await eventDataOf(entry?.['paymentId'], 'billing.payment-unallocated')).toEqual({
      accountId: null,
      provider: 'demo',
      currency: 'EUR',
      amount: 700,
      reason,
    });
  });

  it('is that of another currency', async () => {
    const { owner, invoices, paymentId } = await waiting(3000);
    const [entry] = await state({ paymentId, amount: 3000, currency: 'USD', reference: 'tr_usd' });
    expect(entry).toMatchObject({ outcome: 'failed', reason: 'other_currency' });
    expect(await payment(entry?.['paymentId'])).toMatchObject({
      accountId: owner.id,
      currency: 'USD',
      status: 'unallocated',
      remainder: 3000,
    });
    expect(await payment(paymentId)).toMatchObject({ status: 'pending', received: 0 });
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'open', amountPaid: 0 });
    expect(await account(owner)).toMatchObject({ unused: 0, outstanding: 3000 });
  });

  it('is that of a void invoice', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000, isVoid: true }]);
    const [entry] = await state({ invoiceNumber: invoices[0]?.number, amount: 3000, reference: 'tr_void' });
    expect(entry).toMatchObject({ outcome: 'failed', reason: 'invoice_void' });
    expect(await payment(entry?.['paymentId'])).toMatchObject({
      accountId: owner.id,
      unallocatedReason: 'invoice_void',
    });
    expect(await account(owner)).toMatchObject({ unused: 0 });
  });

  it('is that of an erased account that owes nothing; what it owes is paid', async () => {
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    await billing.collection('accounts').updateOne({ _id: owner.id }, { $set: { erasedAt: new Date() } });
    const stated = { invoiceNumber: invoices[0]?.number, amount: 3000 };
    const [paid, more] = await state({ ...stated, reference: 'tr_erased' }, { ...stated, reference: 'tr_erased_2' });
    expect(paid).toMatchObject({ outcome: 'done' });
    expect(more).toMatchObject({ outcome: 'failed', reason: 'account_closed' });
  });

  it('stays apart when a part of it goes back', async () => {
    const reference = 'tr_apart';
    const [, back] = await state({ amount: 700, reference }, { amount: 200, type: 'payment.refunded', reference });
    expect(await payment(back?.['paymentId'])).toMatchObject({ status: 'unallocated', received: 500, remainder: 500 });
    await state({ amount: 500, type: 'payment.refunded', reference });
    expect(await payment(back?.['paymentId'])).toMatchObject({
      status: 'refunded',
      remainder: 0,
      unallocatedReason: null,
    });
  });

  it('is not there where a payment that nobody knows failed', async () => {
    const [entry] = await state({ paymentId: unknownPayment, type: 'payment.failed', reference: 'tr_nobody' });
    expect(entry).toMatchObject({ outcome: 'failed', reason: 'unknown_payment', paymentId: null });
  });
});

describe('a callback that is refused', () => {
  const genuine = () => demoBody({ id: 'evt_genuine', invoiceNumber: 'INV-1999-000002', reference: 'tr_genuine' });
  const at = (seconds: number) => new Date(billing.now().getTime() + seconds * 1000);

  it.each<[what: string, request: () => [body: string | Buffer, headers: Record<string, string>], outcome: string]>([
    ['is not signed', () => [genuine(), { 'payment-signature': '' }], 'bad_signature'],
    [
      'is signed by another secret',
      () => [genuine(), { 'payment-signature': signed(genuine(), at(0), 'x'.repeat(20)) }],
      'bad_signature',
    ],
    ['is another body', () => [`${genuine()} `, { 'payment-signature': signed(genuine(), at(0)) }], 'bad_signature'],
    [
      'is truncated',
      () => [genuine().slice(0, -1), { 'payment-signature': signed(genuine(), at(0)) }],
      'bad_signature',
    ],
    [
      'is written anew',
      () => [JSON.stringify(JSON.parse(genuine()), null, 1), { 'payment-signature': signed(genuine(), at(0)) }],
      'bad_signature',
    ],
    [
      'is in another encoding',
      () => [Buffer.from(genuine(), 'utf16le'), { 'payment-signature': signed(genuine(), at(0)) }],
      'bad_signature',
    ],
    [
      'has the signature of another provider',
      () => [genuine(), { 'payment-signature': '', 'stripe-signature': signed(genuine(), at(0)) }],
      'bad_signature',
    ],
    ['has two times', () => [genuine(), { 'payment-signature': `${signed(genuine(), at(0))},t=1` }], 'bad_signature'],
    ['is 301 s old', () => [genuine(), { 'payment-signature': signed(genuine(), at(-302)) }], 'stale'],
    ['is 301 s in the future', () => [genuine(), { 'payment-signature': signed(genuine(), at(302)) }], 'stale'],
  ])('as it %s is 401, and only its address and size are kept', async (_what, request, outcome) => {
    const before = new Set((await ledger()).map(({ _id }) => String(_id)));
    const [body, headers] = request();
    const answer = await send(billing, body, headers);
    expect([answer.status, answer.body.code]).toEqual([401, outcome === 'stale' ? 'stale_signature' : 'bad_signature']);
    expect(answer.challenge).toMatch(/^Signature error=/);
    const added = (await ledger()).filter(({ _id }) => !before.has(String(_id)));
    expect(added).toMatchObject([
      {
        outcome,
        address: '192.0.2.7',
        bytes: Buffer.byteLength(body),
        eventId: null,
        type: null,
        body: null,
        paymentId: null,
      },
    ]);
    expect(added[0]?.['deleteAt'] - added[0]?.['receivedAt']).toBe(30 * 24 * 60 * 60 * 1000);
    expect(await billing.collection('callbacks').countDocuments({ eventId: 'evt_genuine' })).toBe(0);
  });

  it('is counted in the ledger 30 times a minute at most', async () => {
    await billing.atOneMoment(async () => {
      billing.advance(60);
      const refused = () => billing.collection('callbacks').countDocuments({ outcome: 'bad_signature' });
      const before = await refused();
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => send(billing, '{}', { 'payment-signature': 'x' })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect((await refused()) - before).toBe(30);
    });
  });

  it.each<[what: string, body: string | Buffer, headers: Record<string, string>, status: number]>([
    ['compressed', gzipSync('{}'), { 'content-encoding': 'gzip' }, 415],
    ['no JSON by its type', '{}', { 'content-type': 'text/plain' }, 415],
    ['larger than 1 MiB', Buffer.alloc(1024 * 1024 + 1, ' '), {}, 413],
  ])('as it is %s leaves no trace', async (_what, body, headers, status) => {
    const before = (await ledger()).length;
    expect((await send(billing, body, { ...headers, 'payment-signature': signed(body, billing.now()) })).status).toBe(
      status,
    );
    expect(await ledger()).toHaveLength(before);
  });

  it('for a provider that is not configured is 404, as any unknown path', async () => {
    for (const provider of ['stripe', 'constructor']) {
      const answer = await send(billing, '{}', { 'stripe-signature': signed('{}', billing.now()) }, { provider });
      expect([answer.status, answer.body.code]).toEqual([404, 'route_not_found']);
    }
  });
});

describe('a callback that is signed', () => {
  it('may be signed by either secret, and by several signatures', async () => {
    const body = demoBody({ id: 'evt_rotated', type: 'payment.created' });
    const rotated = signed(body, billing.now(), otherSecret);
    expect((await send(billing, body, { 'payment-signature': rotated })).status).toBe(200);
    const [time, right] = rotated.split(',');
    const several = `${time},v1=${'0'.repeat(64)},${right},v0=1`;
    expect((await send(billing, body, { 'payment-signature': several })).status).toBe(200);
    expect(await entryOf('evt_rotated')).toMatchObject({ outcome: 'ignored', type: 'payment.created' });
  });

  const good = { id: 'evt_x', type: 'payment.succeeded', data: {} };
  const data = { amount: { amount: 100, currency: 'EUR' }, providerReference: 'tr_x', invoiceNumber: 'INV-1' };
  it.each<[what: string, body: string | Buffer]>([
    ['no JSON', 'hello'],
    ['empty', ''],
    ['cut off', '{"id":"evt_x","type":'],
    ['no UTF-8', Buffer.from('{"id":"evt_x","type":"hello","note":"caf\u00e9"}', 'latin1')],
    ['null', 'null'],
    ['a list', '[]'],
    ['very deep', '['.repeat(400_000)],
    ['without an id', JSON.stringify({ ...good, id: undefined, data })],
    ['with an id that is a number', JSON.stringify({ ...good, id: 7, data })],
    ['with an id that is too long', JSON.stringify({ ...good, id: 'x'.repeat(201), data })],
    ['with an operator for an id', JSON.stringify({ ...good, id: { $ne: null }, data })],
    ['without data', JSON.stringify(good)],
    ['with an amount below 0', JSON.stringify({ ...good, data: { ...data, amount: { amount: -1, currency: 'EUR' } } })],
    [
      'with an amount of nothing',
      JSON.stringify({ ...good, data: { ...data, amount: { amount: 0, currency: 'EUR' } } }),
    ],
    ['with a part of a cent', JSON.stringify({ ...good, data: { ...data, amount: { amount: 0.5, currency: 'EUR' } } })],
    [
      'with an amount that is text',
      JSON.stringify({ ...good, data: { ...data, amount: { amount: '100', currency: 'EUR' } } }),
    ],
    [
      'with an amount that is too large',
      JSON.stringify({ ...good, data: { ...data, amount: { amount: 1e15, currency: 'EUR' } } }),
    ],
    [
      'with a currency that is none',
      JSON.stringify({ ...good, data: { ...data, amount: { amount: 1, currency: 'eur' } } }),
    ],
    ['with an operator for an invoice', JSON.stringify({ ...good, data: { ...data, invoiceNumber: { $gt: '' } } })],
    ['without a reference', JSON.stringify({ ...good, data: { ...data, providerReference: undefined } })],
  ])('but is %s is kept as malformed, and changes nothing', async (_what, body) => {
    const before = await ledger();
    const paymentIds = () => billing.collection('payments').distinct('_id');
    const paymentsBefore = await paymentIds();
    expect((await send(billing, body)).status).toBe(200);
    const added = (await ledger()).filter(({ _id }) => !before.some((entry) => entry._id === _id));
    expect(added).toMatchObject([{ outcome: 'failed', reason: 'malformed', eventId: null, paymentId: null }]);
    // MongoDB may have deleted an old one meanwhile.
    expect((await paymentIds()).filter((id) => !paymentsBefore.includes(id))).toEqual([]);
    expect((await send(billing, body)).status).toBe(200);
    expect(await ledger()).toHaveLength(before.length + 2);
  });

  it('but is not UTF-8 is kept without its body, one entry for each', async () => {
    const before = await ledger();
    for (const sign of ['\u00e9', '\u00e8'])
      expect((await send(billing, Buffer.from(`{"id":"evt_x","note":"${sign}"}`, 'latin1'))).status).toBe(200);
    const added = (await ledger()).filter(({ _id }) => !before.some((entry) => entry._id === _id));
    const kept = { outcome: 'failed', reason: 'malformed', body: null };
    expect(added).toMatchObject([kept, kept]);
  });

  it('may be as large as 1 MiB', async () => {
    const { invoices, paymentId } = await waiting(3000);
    const body = demoBody({ id: 'evt_large', paymentId, amount: 3000, reference: 'tr_large' });
    expect((await send(billing, body.padEnd(1024 * 1024, ' '))).status).toBe(200);
    expect(await entryOf('evt_large')).toMatchObject({ outcome: 'done', bytes: 1024 * 1024 });
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'paid' });
  });
});

describe('the ledger', () => {
  it('is for administrators, newest first, by outcome and payment', async () => {
    const { paymentId } = await waiting(3000);
    const [first, second] = await state({ paymentId, amount: 1 }, { paymentId, amount: 2 });
    const list = async (query: string) => (await billing.call(admin, 'GET', `/v1/payments/callbacks?${query}`)).body;
    const of = await list(`payment=${paymentId}`);
    expect(of.data.map(({ id }: { id: string }) => id)).toEqual([second?._id, first?._id]);
    expect(of.data[0]).toEqual({
      id: second?._id,
      provider: 'demo',
      outcome: 'done',
      reason: null,
      eventId: second?.['eventId'],
      type: 'payment.succeeded',
      paymentId,
      address: '192.0.2.7',
      bytes: second?.['bytes'],
      receivedAt: expect.any(String),
      doneAt: expect.any(String),
      replays: 0,
    });
    const page = await list('limit=1&outcome=done');
    expect(page.data).toMatchObject([{ id: second?._id }]);
    const next = await list(`limit=1&outcome=done&cursor=${page.nextCursor}`);
    expect(next.data).toMatchObject([{ id: first?._id }]);
    expect((await list(`payment=${paymentId}&outcome=failed`)).data).toEqual([]);
    const one = await billing.call(admin, 'GET', `/v1/payments/callbacks/${first?._id}`);
    expect(JSON.parse(one.body.body)).toMatchObject({ id: first?.['eventId'] });
    for (const who of [person('retail'), person('trade')])
      expect((await billing.call(who, 'GET', `/v1/payments/callbacks/${first?._id}`)).status).toBe(403);
    expect((await billing.call(admin, 'GET', '/v1/payments/callbacks/cbk_01h455vb4pex5vsknk084sn02q')).status).toBe(
      404,
    );
  });

  const replay = (id: unknown) => billing.call(admin, 'POST', `/v1/payments/callbacks/${String(id)}/replay`);

  it('lets a failed callback be done again, once what it names is there', async () => {
    const number = 'INV-2026-999999';
    const [entry] = await state({ invoiceNumber: number, amount: 3000, reference: 'tr_replay' });
    expect(entry).toMatchObject({ outcome: 'failed', reason: 'unknown_invoice' });
    const { owner, invoices } = await accountWith(billing, [{ total: 3000 }]);
    await billing.collection('invoices').updateOne({ number: invoices[0]?.number }, { $set: { number } });
    const answer = await replay(entry?._id);
    expect([answer.status, answer.body]).toMatchObject([202, { outcome: 'received', replays: 1 }]);
    await entryOf(entry?.['eventId']);
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ status: 'paid', amountPaid: 3000 });
    expect(await payment(entry?.['paymentId'])).toMatchObject({
      accountId: owner.id,
      status: 'succeeded',
      received: 3000,
    });
    const audit = await eventDataOf(String(entry?._id), 'billing.action-audited');
    expect(audit).toMatchObject({ action: 'callback-replayed', actor: { userId: admin.id } });
  });

  it('does nothing twice where a callback is done again', async () => {
    const { invoices, paymentId } = await waiting(3000);
    const [entry, back] = await state(
      { paymentId, amount: 2000, reference: 'tr_twice' },
      { paymentId, amount: 500, type: 'payment.refunded', reference: 'tr_twice' },
    );
    for (const { _id, eventId } of [entry, back, entry] as { _id: unknown; eventId: string }[]) {
      expect((await replay(_id)).status).toBe(202);
      expect(await entryOf(eventId)).toMatchObject({ outcome: 'done' });
    }
    expect(await invoice(invoices[0]?.id ?? '')).toMatchObject({ amountPaid: 1500 });
    expect(await payment(paymentId)).toMatchObject({ received: 1500, refunded: 500 });
  });

  it('has nothing to be done again of repetitions and refusals', async () => {
    for (const outcome of ['duplicate', 'bad_signature', 'stale']) {
      const entry = await billing.collection('callbacks').findOne({ outcome });
      expect([(await replay(entry?._id)).body.code, outcome]).toEqual(['callback_not_replayable', outcome]);
    }
  });
});
