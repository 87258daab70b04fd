import { fact, newId, ordersEvents, toEvent, type Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, person, startAccount, statuses, times, wrongFields, type Harness, type Person } from './harness.ts';

const path = '/v1/customers';
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ada = { firstName: 'Ada', lastName: 'Lovelace' };
const address = { homeAddress: 'Main Street 1', city: 'London', country: 'GB' };

let account: Harness;
beforeAll(async () => {
  account = await startAccount('rabbitmq');
});
afterAll(() => account.close());

async function saved(who: Person, more: object = {}) {
  const { status, body } = await account.call(who, 'POST', path, { ...ada, ...more });
  expect(status).toBe(201);
  return body;
}
const all = async (who: Person, query = '') => (await account.call(who, 'GET', `${path}?limit=100${query}`)).body.data;

const order = (who: Person, recipient: object, more: object = {}): Event => {
  const orderId = newId('evt');
  const data = {
    orderId,
    userId: who.id,
    recipient: { ...ada, ...recipient },
    placedAt: new Date('2026-11-01T10:00:00Z').toISOString(),
    lines: [{ productId: newId('prod'), quantity: 1, unitPrice: { amount: 1999, currency: 'EUR' } }],
    ...more,
  };
  return toEvent(fact(ordersEvents.orderPlaced, data.orderId, data), { sequence: 1, time: new Date() });
};

describe('a saved recipient', () => {
  it('has all its fields, and is read as it was saved', async () => {
    const who = person();
    const given = { ...ada, email: 'Ada@Example.com', phone: '020 7946 0000', address, note: 'Ring twice' };
    const { status, headers, body } = await account.call(who, 'POST', path, given);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${path}/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^cust_/),
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+442079460000',
      address: { ...address, state: null },
      note: 'Ring twice',
      orderCount: 0,
      lastOrderedAt: null,
      createdAt: expect.stringMatching(time),
      updatedAt: body.createdAt,
    });
    const read = await account.call(who, 'GET', `${path}/${body.id}`);
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', body]);
    await eventually(() => account.eventsOf(body.id).length === 1, 'the event');
    expect(account.eventsOf(body.id)[0]).toMatchObject({
      type: 'account.customer-saved',
      data: { userId: who.id, change: 'created', by: 'user', orderCount: 0 },
    });
    expect(JSON.stringify(account.eventsOf(body.id))).not.toContain('Lovelace');
  });

  it('is absent for everybody else, exactly as one that does not exist: read, changed or deleted', async () => {
    const [owner, other, admin] = [person(), person(), person('admin')];
    const { id } = await saved(owner);
    for (const who of [other, admin]) {
      for (const [method, body] of [['GET'], ['PATCH', { note: 'mine' }], ['DELETE']] as const) {
        const foreign = await account.call(who, method, `${path}/${id}`, body);
        const absent = await account.call(who, method, `${path}/${newId('cust')}`, body);
        const { instance: _i, requestId: _r, ...shown } = foreign.body;
        expect(foreign.status).toBe(404);
        expect(absent.body).toMatchObject(shown);
      }
    }
    expect((await account.call(owner, 'GET', `${path}/${id}`)).body.note).toBeNull();
    for (const malformed of ['cust_x', newId('user'), '%00', `${owner.id}%2f${id}`])
      expect((await account.call(owner, 'GET', `${path}/${malformed}`)).status).toBe(404);
    expect((await account.call(anonymous, 'GET', `${path}/${id}`)).status).toBe(401);
  });

  it('is refused with every wrong field named', async () => {
    const answer = await account.call(person(), 'POST', path, {
      firstName: '',
      email: 'ada',
      phone: 'x',
      address: { city: 'London', country: 'UK' },
      orderCount: 7,
      owner: 'user_x',
    });
    expect(answer.status).toBe(400);
    expect(wrongFields(answer)).toEqual({
      '/firstName': 'too_small',
      '/lastName': 'required',
      '/email': 'invalid_format',
      '/phone': 'invalid_format',
      '/address/homeAddress': 'required',
      '/address/country': 'invalid_value',
      '/orderCount': 'unknown_field',
      '/owner': 'unknown_field',
    });
    const national = await account.call(person(), 'POST', path, { ...ada, phone: '020 7946 0000' });
    expect(wrongFields(national)).toEqual({ '/phone': 'invalid_phone' });
  });

  it('changes field by field, and gives up what may be absent', async () => {
    const who = person();
    const before = await saved(who, { email: 'ada@example.com', phone: '+442079460000', address, note: 'x' });
    const changes = { firstName: 'Augusta', email: null, phone: null, address: null, note: null };
    const { status, body } = await account.call(who, 'PATCH', `${path}/${before.id}`, changes);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...changes, updatedAt: body.updatedAt });
    expect(await all(who, '&q=augusta')).toHaveLength(1);
    expect(await all(who, '&q=ada')).toHaveLength(0);
    expect((await account.call(who, 'PATCH', `${path}/${before.id}`, {})).status).toBe(400);
    const stale = await account.call(who, 'PATCH', `${path}/${before.id}`, { note: 'y' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
  });

  it('is gone once deleted', async () => {
    const who = person();
    const { id } = await saved(who);
    expect((await account.call(who, 'DELETE', `${path}/${id}`, undefined, { 'if-match': '"9"' })).status).toBe(412);
    expect((await account.call(who, 'DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await account.call(who, 'GET', `${path}/${id}`)).status).toBe(404);
    expect((await account.call(who, 'DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await all(who)).toEqual([]);
  });

  it('is one under one Idempotency-Key', async () => {
    const who = person();
    const answers = await times(5, () => account.call(who, 'POST', path, ada, { 'idempotency-key': 'save-once' }));
    expect(statuses(answers)).toEqual({ 201: 5 });
    expect(await all(who)).toHaveLength(1);
  });
});

describe('the list of recipients', () => {
  it('is the newest first, page by page, and stable while more are saved', async () => {
    const who = person();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await saved(who)).id);
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await account.call(who, 'GET', `${path}?limit=2${next}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
      await saved(who);
    } while (next);
    expect(seen).toEqual(ids);
  });

  it('is searched by beginnings of words, whatever is typed', async () => {
    const who = person();
    const soren = await saved(who, { firstName: 'Søren', lastName: "O'Brien", phone: '+4533123456' });
    const zoe = await saved(who, { firstName: 'Zoë', lastName: 'Smith', email: 'zoe.smith@example.org' });
    await saved(person(), { firstName: 'Zoë', lastName: 'Elsewhere' });
    const found = async (q: string) =>
      (await all(who, `&q=${encodeURIComponent(q)}`)).map(({ id }: { id: string }) => id);
    expect(await found('zoe')).toEqual([zoe.id]);
    expect(await found('SMI zo')).toEqual([zoe.id]);
    expect(await found('zoe.smith@exam')).toEqual([zoe.id]);
    expect(await found('soren brien')).toEqual([soren.id]);
    expect(await found('33 12 34')).toEqual([soren.id]);
    expect(await found('')).toEqual([zoe.id, soren.id]);
    for (const nothing of ['.*', '^', '$where', '(', '[a-z]+', '\\', 'oren', 'zoe|soren', '{"$gt":""}'])
      expect(await found(nothing)).toEqual([]);
    expect((await account.call(who, 'GET', `${path}?q[$ne]=x`)).status).toBe(400);
    expect((await account.call(who, 'GET', `${path}?q=${'x'.repeat(201)}`)).status).toBe(400);
  });
});

describe('an order', () => {
  it('saves its recipient, and counts the next one for the same', async () => {
    const who = person();
    await account.publish(
      order(who, { email: 'ada@example.com', phone: '020 7946 0000', address: { ...address, state: null } }),
    );
    await eventually(async () => (await all(who)).length === 1, 'the recipient');
    expect((await all(who))[0]).toMatchObject({
      ...ada,
      email: 'ada@example.com',
      phone: '+442079460000',
      address,
      orderCount: 1,
      lastOrderedAt: '2026-11-01T10:00:00.000Z',
    });
    const later = '2026-11-03T10:00:00.000Z';
    await account.publish(
      order(who, { firstName: 'A.', email: 'ADA@example.com' }, { placedAt: later }),
      order(who, { email: 'ada@example.com' }, { placedAt: '2026-10-01T10:00:00.000Z' }),
    );
    await account.idle();
    expect(await all(who)).toMatchObject([{ firstName: 'Ada', orderCount: 3, lastOrderedAt: later }]);
  });

  it('is counted for one that the user saved, and fills in what was not known', async () => {
    const who = person();
    const { id } = await saved(who, { phone: '+442079460000', note: 'keep' });
    await account.publish(order(who, { phone: '+44 20 7946 0000', email: 'ada@example.com' }));
    await eventually(async () => (await all(who))[0].orderCount === 1, 'the count');
    expect(await all(who)).toMatchObject([{ id, email: 'ada@example.com', note: 'keep', orderCount: 1 }]);
  });

  it('is counted once, however often and wherever it is delivered', async () => {
    const who = person();
    const placed = order(who, { email: 'ada@example.com' });
    const again = { ...placed, id: newId('evt') };
    await account.another();
    await account.publish(
      placed,
      again,
      placed,
      ...Array.from({ length: 10 }, () => ({ ...placed, id: newId('evt') })),
    );
    await account.idle();
    await account.publish(placed);
    await account.idle();
    expect(await all(who)).toMatchObject([{ orderCount: 1 }]);
  });

  it('with nineteen others at once for somebody new makes one recipient with twenty orders', async () => {
    const who = person();
    await account.another();
    await account.publish(
      ...Array.from({ length: 20 }, (_, index) => order(who, index % 2 === 0 ? { email: 'ada@example.com' } : {})),
    );
    await eventually(
      async () => (await all(who)).reduce((sum: number, { orderCount }: any) => sum + orderCount, 0) === 20,
      'twenty counted orders',
    );
    expect(await all(who)).toHaveLength(1);
    const [{ id }] = await all(who);
    await eventually(() => account.eventsOf(id).length === 20, 'an event for each order');
  });

  it('that is not as its contract has it becomes a dead letter', async () => {
    const broken = order(person(), {}, { userId: 'nobody', lines: [] });
    await account.publish(broken);
    const letter = await eventually(
      async () => (await account.bus.deadLetters.list()).find(({ event }) => 'id' in event && event.id === broken.id),
      'the dead letter',
    );
    expect(letter.reason).toMatch(/userId: .*; lines: /);
  });

  it('needs neither lines nor totals, and may have all of them', async () => {
    const who = person();
    const money = (amount: number) => ({ amount, currency: 'EUR' });
    const bare = order(who, {}, { lines: undefined });
    const full = order(
      who,
      {},
      {
        totals: {
          subtotal: money(2000),
          discount: money(200),
          shipping: money(490),
          tax: money(0),
          total: money(2290),
        },
        redemptionId: newId('red'),
      },
    );
    const least = order(who, {}, { totals: { total: money(1) }, lines: undefined });
    await account.publish(bare, full, least);
    await eventually(async () => (await all(who))[0]?.orderCount === 3, 'three counted orders');
    expect(await all(who)).toHaveLength(1);
  });
});

describe('so many recipients that there is room for ten more', () => {
  const most = 5000;

  async function nearlyFull(): Promise<Person> {
    const who = person();
    const first = await saved(who, { email: 'first@example.com' });
    const [mold] = await account.collection('customers').find({ customerId: first.id }).toArray();
    const copies = Array.from({ length: most - 11 }, () => {
      const customerId = newId('cust');
      return { ...mold, _id: `${who.id}/${customerId}`, customerId, outbox: [], email: null, keys: [] };
    });
    await account.collection('customers').insertMany(copies);
    return who;
  }
  const count = (who: Person) => account.collection('customers').countDocuments({ owner: who.id });

  it('take ten of thirty at once, and one more once one is deleted', async () => {
    const who = await nearlyFull();
    const answers = await times(30, () => account.call(who, 'POST', path, ada));
    expect(statuses(answers)).toEqual({ 201: 10, 422: 20 });
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toMatchObject({ code: 'too_many_customers' });
    expect(await count(who)).toBe(most);
    // A recipient who is deleted counts until their event is published.
    await account.idle();
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect((await account.call(who, 'DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await account.call(who, 'POST', path, ada)).status).toBe(201);
    expect((await account.call(who, 'POST', path, ada)).status).toBe(422);
    expect((await account.call(person(), 'POST', path, ada)).status).toBe(201);
  });

  it('get no new one by an order, whose known recipients are counted all the same', async () => {
    const who = await nearlyFull();
    const answers = await times(10, (at) =>
      account.call(who, 'POST', path, { ...ada, email: `ada${at}@example.com` }, { 'idempotency-key': `full-${at}` }),
    );
    expect(statuses(answers)).toEqual({ 201: 10 });
    await account.publish(
      order(who, { firstName: 'Somebody', lastName: 'New', email: 'new@example.com' }),
      order(who, { email: 'first@example.com' }),
    );
    const first = () => account.collection('customers').findOne({ owner: who.id, email: 'first@example.com' });
    await eventually(async () => (await first())?.orderCount === 1, 'the order for a recipient who is known');
    await account.idle();
    expect(await count(who)).toBe(most);
    expect(await account.bus.deadLetters.list()).not.toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({ data: expect.objectContaining({ userId: who.id }) }),
      }),
    );
    const key = { 'idempotency-key': 'full-0' };
    const again = await account.call(who, 'POST', path, { ...ada, email: 'ada0@example.com' }, key);
    expect(again.status).toBe(201);
  });
});

it('tells an order where it goes: to an address or a recipient of its buyer, as they are then, and of nobody else', async () => {
  const [who, other] = [person(), person()];
  const { id: customerId } = await saved(who, { phone: '+442079460000', address });
  const { id: nowhere } = await saved(who);
  const home = { contactPhone: '+442079460001', homeAddress: 'Side Street 2', city: 'London', country: 'GB' };
  const { id: addressId } = (await account.call(who, 'POST', '/v1/users/me/addresses', home)).body;
  const answerTo = async (userId: string, kind: 'address' | 'customer', id: string, orderId = newId('ord')) => {
    const before = account.eventsOf(orderId).length;
    const asked = fact(ordersEvents.recipientRequested, orderId, { userId, saved: { kind, id } });
    await account.publish(toEvent(asked, { sequence: 1, time: new Date() }));
    const { type, data } = await eventually(() => account.eventsOf(orderId)[before], 'the answer');
    return { type, data };
  };
  const found = (data: object) => ({ type: 'account.recipient-found', data: { state: null, ...data } });
  const refused = (reason: string) => ({ type: 'account.recipient-refused', data: { reason } });
  const { contactPhone, ...place } = home;
  expect(await answerTo(who.id, 'address', addressId)).toEqual(
    found({ firstName: null, lastName: null, ...place, phone: contactPhone }),
  );
  const orderId = newId('ord');
  const grace = { ...ada, ...address, phone: '+442079460000' };
  expect(await answerTo(who.id, 'customer', customerId, orderId)).toEqual(found(grace));
  await account.call(who, 'PATCH', `${path}/${customerId}`, { firstName: 'Grace' });
  expect(await answerTo(who.id, 'customer', customerId, orderId)).toEqual(found({ ...grace, firstName: 'Grace' }));
  expect(await answerTo(who.id, 'customer', nowhere)).toEqual(refused('no-address'));
  for (const [kind, id] of [
    ['address', addressId],
    ['customer', customerId],
    ['address', newId('addr')],
    ['customer', newId('cust')],
  ] as const)
    expect(await answerTo(other.id, kind, id)).toEqual(refused('unknown'));
});
