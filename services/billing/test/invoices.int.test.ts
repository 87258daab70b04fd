import { newId } from '@storefront/contracts';
import { principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  admin,
  anonymous,
  person,
  startBilling,
  statuses,
  teaHouse,
  times,
  wrongFields,
  type Harness,
  type Person,
} from './harness.ts';
import { assertBooks } from './assert-books.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ instances: 2 });
});
afterAll(() => billing.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const lines = [
  { description: 'Assam, 1 kg', sku: 'TEA-1', quantity: 3, unitPrice: eur(1099), taxRate: 19 },
  { description: 'Handbuch', quantity: 1, unitPrice: eur(335), taxRate: 7 },
];
const costing = (amount: number) => [{ description: 'Tee', quantity: 1, unitPrice: eur(amount), taxRate: 0 }];
const issue = (accountId: string, body: object = {}, headers = {}) =>
  billing.call(admin, 'POST', '/v1/invoices', { accountId, lines, ...body }, headers);
const credit = async (who: Person) => (await billing.call(who, 'GET', '/v1/invoices/credit')).body;

describe('an invoice', () => {
  it('says all that it has to', async () => {
    const buyer = await billing.newAccount();
    const issued = await issue(buyer.id, { termsDays: 14, reference: 'PO-7781', orderRef: 'order-1042' });
    expect(issued.status).toBe(201);
    const { body } = issued;
    expect(issued.headers.get('location')).toBe(`/v1/invoices/${body.id}`);
    expect(issued.headers.get('etag')).toBe('"1"');
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' });
    const dueOn = day.format(new Date(Date.parse(`${body.issuedOn}T12:00:00Z`) + 14 * 86_400_000));
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_/),
      number: expect.stringMatching(/^INV-\d{4}-\d{6}$/),
      accountId: buyer.id,
      status: 'open',
      buyer: { businessName: teaHouse.name, address: teaHouse.address, country: 'DE', vatNumber: 'DE123456789' },
      seller: {
        businessName: 'Storefront Ltd',
        address: 'Marktplatz 5\n20095 Hamburg',
        country: 'DE',
        vatNumber: 'DE987654321',
      },
      reference: 'PO-7781',
      orderRef: 'order-1042',
      lines: [
        { ...lines[0], discount: eur(0), net: eur(3297) },
        { ...lines[1], sku: null, discount: eur(0), net: eur(335) },
      ],
      taxes: [
        { rate: 19, base: eur(3297), amount: eur(626) },
        { rate: 7, base: eur(335), amount: eur(23) },
      ],
      subtotal: eur(3632),
      tax: eur(649),
      total: eur(4281),
      taxTreatment: 'domestic',
      reverseCharge: false,
      amountPaid: eur(0),
      credited: eur(0),
      balance: eur(4281),
      termsDays: 14,
      issuedAt: expect.any(String),
      issuedOn: day.format(new Date(body.issuedAt)),
      dueAt: expect.any(String),
      dueOn,
      paidAt: null,
      voidedAt: null,
      payments: [],
      creditNotes: [],
    });
    // The due time is the end of the day in the shop's zone.
    expect(day.format(new Date(Date.parse(body.dueAt) - 1))).toBe(dueOn);
    expect(day.format(new Date(body.dueAt))).not.toBe(dueOn);

    const read = await billing.call(buyer, 'GET', `/v1/invoices/${body.id}`);
    expect([read.status, read.headers.get('etag')]).toEqual([200, '"1"']);
    expect(read.body).toEqual(body);
    expect(
      (await billing.call(buyer, 'GET', `/v1/invoices/${body.id}`, undefined, { 'if-none-match': '"1"' })).status,
    ).toBe(304);
    expect((await billing.call(admin, 'GET', `/v1/trade-accounts/${buyer.id}/invoices/${body.id}`)).body).toEqual(body);

    await billing.idle();
    const [published, audit] = [
      billing.eventsOf(body.id, 'billing.invoice-issued')[0],
      billing.eventsOf(body.id, 'billing.action-audited')[0],
    ];
    expect(published?.data).toEqual({
      accountId: buyer.id,
      number: body.number,
      currency: 'EUR',
      total: 4281,
      balance: 4281,
      dueOn,
      orderRef: 'order-1042',
      document: {
        number: body.number,
        currency: 'EUR',
        issuedAt: body.issuedAt,
        issuedOn: body.issuedOn,
        buyer: body.buyer,
        seller: body.seller,
        bank: null,
        lines: [
          { ...lines[0], unitPrice: 1099, discount: 0, net: 3297 },
          { ...lines[1], sku: null, unitPrice: 335, discount: 0, net: 335 },
        ],
        taxes: [
          { rate: 19, base: 3297, amount: 626 },
          { rate: 7, base: 335, amount: 23 },
        ],
        taxTreatment: 'domestic',
        reverseCharge: false,
        subtotal: 3632,
        tax: 649,
        total: 4281,
        reference: 'PO-7781',
        orderRef: 'order-1042',
        dueOn,
        termsDays: 14,
      },
    });
    expect(audit?.data).toMatchObject({
      action: 'invoice-issued',
      object: { type: 'invoice', id: body.id },
      about: buyer.id,
      details: { number: body.number, currency: 'EUR', total: 4281 },
    });
    await assertBooks(billing);
  });

  it('has no tax where a buyer in another country of the EU owes it', async () => {
    const buyer = await billing.newAccount({ vatNumber: 'NL123456789B01', country: 'NL' });
    const { body } = await issue(buyer.id);
    expect(body).toMatchObject({
      taxTreatment: 'reverse-charge',
      reverseCharge: true,
      buyer: { country: 'NL' },
      taxes: [{ rate: 0, base: eur(3632), amount: eur(0) }],
      tax: eur(0),
      total: eur(3632),
    });
  });

  it.each([
    ['GB', 'GB123456789', '1 Mill Lane\nLondon\nUnited Kingdom'],
    ['CH', 'CHE123456789', 'Bahnhofstrasse 1\n8001 Zürich'],
    ['US', null, '1 Market Street\nSan Francisco, CA 94105'],
  ])('has no tax for a buyer in %s, which is named as its country', async (country, vatNumber, address) => {
    const buyer = await billing.newAccount({ vatNumber, address, country });
    const { body } = await issue(buyer.id);
    expect(body).toMatchObject({
      taxTreatment: 'export',
      reverseCharge: false,
      buyer: { country, address },
      taxes: [{ rate: 0, base: eur(3632), amount: eur(0) }],
      total: eur(3632),
    });
    const credited = await billing.call(admin, 'POST', `/v1/invoices/${body.id}/credit-notes`, { reason: 'Broken' });
    expect(credited.body).toMatchObject({ tax: eur(0), total: eur(3632) });
    const xml = await billing.call(buyer, 'GET', `/v1/invoices/${body.id}/xml`);
    expect(xml.body).toContain(`<cbc:IdentificationCode>${country}</cbc:IdentificationCode>`);
    expect(xml.body).toContain('<cbc:TaxExemptionReasonCode>VATEX-EU-G</cbc:TaxExemptionReasonCode>');
  });

  it('has the tax of the seller for a buyer elsewhere in the EU without a VAT number of there', async () => {
    const buyer = await billing.newAccount({ vatNumber: null, country: 'NL' });
    const { body } = await issue(buyer.id);
    expect(body).toMatchObject({ taxTreatment: 'eu', buyer: { country: 'NL' }, total: eur(4281) });
  });

  it('has the terms of the account where it names none, and no later change of the business reaches it', async () => {
    const buyer = await billing.newAccount();
    const { body } = await issue(buyer.id);
    expect(body.termsDays).toBe(30);
    await billing.newAccount({ name: 'Other GmbH' }, buyer.id);
    expect((await billing.call(buyer, 'GET', `/v1/invoices/${body.id}`)).body.buyer.businessName).toBe(teaHouse.name);
  });

  it('is issued once under one Idempotency-Key, and the answer comes again', async () => {
    const buyer = await billing.newAccount();
    const many = Array.from({ length: 20 }, () => lines[0]);
    const key = { 'idempotency-key': newId('evt') };
    const answers = await times(3, () => issue(buyer.id, { lines: many }, key));
    expect(statuses(answers)).toEqual({ 201: 3 });
    expect(new Set(answers.map(({ body }) => body.number)).size).toBe(1);
    const again = await issue(buyer.id, { lines: many }, key);
    expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('etag')]).toEqual([
      201,
      'true',
      '"1"',
    ]);
    expect(again.body).toEqual(answers[0]?.body);
    expect((await billing.call(buyer, 'GET', '/v1/invoices')).body.data).toHaveLength(1);
  });
});

describe('an invoice is refused', () => {
  it('with all wrong fields at once', async () => {
    const buyer = await billing.newAccount();
    const wrong = await issue(buyer.id, {
      termsDays: 91,
      lines: [
        { description: 'a', quantity: 1.0001, unitPrice: eur(1), taxRate: 19 },
        { description: 'b', quantity: 1, unitPrice: { amount: 1, currency: 'USD' }, taxRate: 19 },
      ],
    });
    expect([wrong.status, wrongFields(wrong)]).toEqual([
      400,
      { '/termsDays': 'too_big', '/lines/0/quantity': 'invalid_value' },
    ]);
    const refused = await issue(buyer.id, {
      lines: [
        { description: 'a', quantity: 1, unitPrice: { amount: 1, currency: 'USD' }, taxRate: 19 },
        { description: 'b', quantity: 1, unitPrice: eur(5), discount: eur(6), taxRate: 19 },
        { description: 'c', quantity: 1, unitPrice: eur(5), discount: { amount: 1, currency: 'USD' }, taxRate: 19 },
      ],
    });
    expect([refused.status, wrongFields(refused)]).toEqual([
      400,
      {
        '/lines/0/unitPrice/currency': 'other_currency',
        '/lines/1/discount/amount': 'too_big',
        '/lines/2/discount/currency': 'other_currency',
      },
    ]);
    const huge = { description: 'a', quantity: 1_000_000, unitPrice: eur(1_000_000_000_000), taxRate: 19 };
    expect(wrongFields(await issue(buyer.id, { lines: [huge] }))).toEqual({ '/lines': 'too_big' });
    expect(wrongFields(await issue(newId('user')))).toEqual({ '/accountId': 'not_found' });
  });

  it('beyond the limit, on hold, of a closed account, and for an order that has one', async () => {
    const buyer = await billing.newAccount();
    await billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, {
      limit: eur(10_000),
      termsDays: 30,
      hold: false,
    });
    const orderRef = newId('evt');
    expect((await issue(buyer.id, { lines: costing(6000), orderRef })).status).toBe(201);
    const twice = await issue(buyer.id, { lines: costing(1), orderRef });
    expect([twice.status, twice.body.code]).toEqual([409, 'order_already_invoiced']);
    const beyond = await issue(buyer.id, { lines: costing(4001) });
    expect([beyond.status, beyond.body.code]).toEqual([422, 'credit_exceeded']);
    expect(beyond.body.detail).toContain('40.00 EUR');
    expect((await issue(buyer.id, { lines: costing(4000) })).status).toBe(201);
    await billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, {
      limit: null,
      termsDays: 30,
      hold: true,
    });
    const held = await issue(buyer.id, { lines: costing(1) });
    expect([held.status, held.body.code]).toEqual([422, 'account_on_hold']);
    await billing.suspend(buyer.id);
    const closed = await issue(buyer.id, { lines: costing(1) });
    expect([closed.status, closed.body.code]).toEqual([422, 'account_closed']);
  });

  it('to all but administrators', async () => {
    const buyer = await billing.newAccount();
    for (const [who, status] of [
      [anonymous, 401],
      [person('retail'), 403],
      [buyer, 403],
    ] as const)
      expect((await billing.call(who, 'POST', '/v1/invoices', { accountId: buyer.id, lines })).status).toBe(status);
  });

  it('harms no other that is issued at the same moment', async () => {
    const buyer = await billing.newAccount();
    const answers = await times(20, (index) =>
      issue(index % 4 === 0 ? newId('user') : buyer.id, { lines: costing(1) }),
    );
    expect(statuses(answers)).toEqual({ 201: 15, 400: 5 });
    await assertBooks(billing);
  });
});

describe('numbers', () => {
  it('have no gap and no double where 500 are issued at once by two instances', async () => {
    const buyers = await times(5, () => billing.newAccount());
    for (const buyer of buyers)
      await billing.call(admin, 'PUT', `/v1/trade-accounts/${buyer.id}/credit`, {
        limit: null,
        termsDays: 30,
        hold: false,
      });
    const before = await billing.collection('invoices').countDocuments();
    const answers = await times(500, (index) =>
      billing.callOn(index % 2, admin, 'POST', '/v1/invoices', {
        accountId: buyers[index % 5]?.id,
        lines: costing(100 + index),
      }),
    );
    expect(statuses(answers)).toEqual({ 201: 500 });
    const numbers = (await billing.collection('invoices').find().toArray())
      .toSorted((a, b) => a.issuedAt - b.issuedAt || a.number.localeCompare(b.number))
      .map(({ number }) => Number(number.slice(9)));
    expect(numbers).toEqual(Array.from({ length: before + 500 }, (_, index) => index + 1));
    await assertBooks(billing);
  });

  it('begin anew in the year of the shop, at its midnight', async () => {
    const local = await startBilling({ settings: { SHOP_TIME_ZONE: 'Pacific/Auckland' }, bus: 'in-process' });
    try {
      const buyer = await local.newAccount();
      const year = Number(new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Auckland', year: 'numeric' }).format());
      // Summer time in Auckland: 13 hours ahead.
      const midnight = Date.UTC(year, 11, 31, 11);
      await local.atOneMoment(async () => {
        local.advance((midnight - 1 - local.now().getTime()) / 1000);
        const last = await local.call(admin, 'POST', '/v1/invoices', { accountId: buyer.id, lines });
        local.advance(0.001);
        const first = await local.call(admin, 'POST', '/v1/invoices', { accountId: buyer.id, lines });
        expect([last.body.number, last.body.issuedOn]).toEqual([`INV-${year}-000001`, `${year}-12-31`]);
        expect([first.body.number, first.body.issuedOn]).toEqual([`INV-${year + 1}-000001`, `${year + 1}-01-01`]);
      });
    } finally {
      await local.close();
    }
  });

  it('are in the order of their dates, however the clocks of instances differ', async () => {
    const buyer = await billing.newAccount();
    await using behind = await (async () => {
      const instance = await billing.another({ now: () => new Date(billing.now().getTime() - 2000) });
      return { ...instance, [Symbol.asyncDispose]: () => instance.close() };
    })();
    const first = await issue(buyer.id);
    const { status, body } = await behind.call(principal(admin.role, admin.id), 'POST', '/v1/invoices', {
      accountId: buyer.id,
      lines,
    });
    expect(status).toBe(201);
    expect(body.number > first.body.number).toBe(true);
    expect(body.issuedAt >= first.body.issuedAt).toBe(true);
  });
});

describe('lists', () => {
  it('are newest first, in pages, by status and by the days of the shop', async () => {
    const buyer = await billing.newAccount();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await issue(buyer.id)).body.id);
    const page = await billing.call(buyer, 'GET', '/v1/invoices?limit=3');
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3));
    const rest = await billing.call(buyer, 'GET', `/v1/invoices?limit=3&cursor=${page.body.nextCursor}`);
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3));
    expect(rest.body.nextCursor).toBeNull();
    await billing.call(admin, 'POST', `/v1/invoices/${ids[0]}/void`, {});
    const list = async (query: string) =>
      (await billing.call(buyer, 'GET', `/v1/invoices?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await list('status=void')).toEqual([ids[0]]);
    expect(await list('status=open')).toEqual(ids.slice(1));
    const today = page.body.data[0].issuedOn;
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    expect(await list(`from=${today}&to=${tomorrow}`)).toEqual(ids);
    expect(await list(`from=${tomorrow}`)).toEqual([]);
    expect(await list(`to=${today}`)).toEqual([]);
    expect((await billing.call(admin, 'GET', `/v1/trade-accounts/${buyer.id}/invoices?limit=3`)).body.data).toEqual([
      expect.objectContaining({ id: ids[0], status: 'void' }),
      ...page.body.data.slice(1),
    ]);
  });

  it('are of all accounts for staff, by account, number, and the day before which they are due', async () => {
    const [one, two] = [await billing.newAccount(), await billing.newAccount()];
    const first = (await issue(one.id)).body;
    const second = (await issue(two.id)).body;
    const sooner = (await issue(two.id, { termsDays: 7 })).body;
    const list = async (query: string, who: Parameters<typeof billing.call>[0] = admin) =>
      (await billing.call(who, 'GET', `/v1/invoices?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect((await list('')).slice(0, 3)).toEqual([sooner.id, second.id, first.id]);
    expect(await list(`account=${two.id}`)).toEqual([sooner.id, second.id]);
    expect(await list(`account=${two.id}&status=open`)).toEqual([sooner.id, second.id]);
    expect(await list(`number=${first.number}`)).toEqual([first.id]);
    const day = (after: string) => new Date(Date.parse(after) + 86_400_000).toISOString().slice(0, 10);
    expect(await list(`account=${two.id}&dueBefore=${day(second.dueOn)}`)).toEqual([sooner.id, second.id]);
    expect(await list(`account=${two.id}&dueBefore=${second.dueOn}`)).toEqual([sooner.id]);
    expect((await list(`dueBefore=${day(sooner.dueOn)}&limit=100`)).includes(first.id)).toBe(false);
    await billing.call(admin, 'POST', `/v1/invoices/${sooner.id}/void`, {});
    expect(await list(`account=${two.id}&dueBefore=${second.dueOn}`)).toEqual([]);
    expect(await list(`dueBefore=${day(second.dueOn)}`, two)).toEqual([second.id]);
    expect(await list(`number=${first.number}`, two)).toEqual([]);

    const refused = async (query: string, who: Parameters<typeof billing.call>[0] = admin) => {
      const { status, body } = await billing.call(who, 'GET', `/v1/invoices${query}`);
      return [status, body.code];
    };
    expect(await refused(`?dueBefore=${second.dueOn}&status=open`)).toEqual([400, 'validation_failed']);
    expect(await refused(`?account=${one.id}`, two)).toEqual([403, 'role_required']);
    expect(await refused('', person('retail'))).toEqual([403, 'trade_account_required']);
    expect((await billing.call(admin, 'GET', '/v1/shop')).body).toMatchObject({
      currency: 'EUR',
      seller: first.seller,
      newAccounts: { termsDays: first.termsDays },
    });
  });

  it('never show what belongs to another account', async () => {
    const [one, two] = [await billing.newAccount(), await billing.newAccount()];
    const { body } = await issue(one.id);
    expect((await billing.call(two, 'GET', '/v1/invoices')).body.data).toEqual([]);
    const path = `/v1/trade-accounts/${two.id}/invoices`;
    for (const answer of [
      await billing.call(two, 'GET', `/v1/invoices/${body.id}`),
      await billing.call(one, 'GET', `/v1/invoices/${newId('inv')}`),
      await billing.call(admin, 'GET', `${path}/${body.id}`),
      await billing.call(admin, 'GET', `/v1/trade-accounts/${newId('user')}/invoices`),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await billing.call(admin, 'GET', path)).body.data).toEqual([]);
  });
});

describe('void', () => {
  it('takes an invoice out of what is owed, once', async () => {
    const buyer = await billing.newAccount();
    const { body } = await issue(buyer.id);
    expect((await credit(buyer)).outstanding).toEqual(eur(4281));
    const path = `/v1/invoices/${body.id}/void`;
    expect((await billing.call(admin, 'POST', path, {}, { 'if-match': '"7"' })).body.code).toBe('version_mismatch');
    const voided = await billing.call(admin, 'POST', path, { reason: 'Twice' }, { 'if-match': '"1"' });
    expect([voided.status, voided.headers.get('etag')]).toEqual([200, '"2"']);
    expect(voided.body).toMatchObject({ status: 'void', balance: eur(0), voidedAt: expect.any(String) });
    const again = await billing.call(admin, 'POST', path, {});
    expect([again.status, again.body]).toEqual([200, voided.body]);
    expect((await credit(buyer)).outstanding).toEqual(eur(0));
    await billing.idle();
    expect(billing.eventsOf(body.id, 'billing.invoice-voided')).toHaveLength(1);
    const changes = billing.eventsOf(body.id, 'billing.invoice-balance-changed');
    expect(changes.map(({ data: { delta, reason } }) => [delta, reason])).toEqual([
      [4281, 'issued'],
      [-4281, 'voided'],
    ]);
    expect(billing.eventsOf(body.id, 'billing.invoice-voided')[0]?.data).toMatchObject({ balance: 0, reason: 'Twice' });
    expect(billing.eventsOf(body.id, 'billing.action-audited').map(({ data }) => data.action)).toEqual([
      'invoice-issued',
      'invoice-voided',
    ]);
    const note = await billing.call(admin, 'POST', `/v1/invoices/${body.id}/credit-notes`, { reason: 'Late' });
    expect([note.status, note.body.code]).toEqual([409, 'invoice_void']);
    await assertBooks(billing);
  });

  it('is refused once something was credited', async () => {
    const buyer = await billing.newAccount();
    const { body } = await issue(buyer.id);
    await billing.call(admin, 'POST', `/v1/invoices/${body.id}/credit-notes`, {
      lines: [{ line: 0, quantity: 1 }],
      reason: 'Damaged',
    });
    const refused = await billing.call(admin, 'POST', `/v1/invoices/${body.id}/void`, {});
    expect([refused.status, refused.body.code]).toEqual([409, 'invoice_not_voidable']);
    expect((await billing.call(admin, 'POST', `/v1/invoices/${newId('inv')}/void`, {})).status).toBe(404);
  });
});
