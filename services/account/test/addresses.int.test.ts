import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, person, startAccount, statuses, times, wrongFields, type Harness, type Person } from './harness.ts';

const path = '/v1/users/me/addresses';
const home = { contactPhone: '020 123 4567', homeAddress: 'Keizersgracht 1', city: 'Amsterdam', country: 'nl' };
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let account: Harness;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account.close());

async function added(who: Person, more: object = {}) {
  const { status, body } = await account.call(who, 'POST', path, { ...home, ...more });
  expect(status).toBe(201);
  return body;
}
const list = async (who: Person) => (await account.call(who, 'GET', `${path}?limit=100`)).body.data;
const defaults = async (who: Person) =>
  (await list(who)).filter((address: { isDefault: boolean }) => address.isDefault);

describe('adding an address', () => {
  it('answers it with all its fields, and where it is', async () => {
    const who = person();
    const { status, headers, body } = await account.call(who, 'POST', path, { ...home, state: 'Noord-Holland' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${path}/${body.id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.stringMatching(/^addr_/),
      contactPhone: '+31201234567',
      homeAddress: 'Keizersgracht 1',
      state: 'Noord-Holland',
      city: 'Amsterdam',
      country: 'NL',
      isDefault: true,
      createdAt: expect.stringMatching(time),
      updatedAt: body.createdAt,
    });
    expect((await account.call(who, 'GET', `${path}/${body.id}`)).body).toEqual(body);
    await eventually(() => account.eventsOf(who.id).length === 1, 'the event of the new address');
    expect(account.eventsOf(who.id)[0]).toMatchObject({
      type: 'account.address-changed',
      sequence: 1,
      data: { addressId: body.id, change: 'created', country: 'NL', isDefault: true },
    });
  });

  it('names every wrong field at once', async () => {
    const answer = await account.call(person(), 'POST', path, {
      contactPhone: 'call me',
      homeAddress: '',
      country: 'XX',
      isDefault: 'yes',
      ownerId: 'user_x',
      __proto__x: 1,
    });
    expect(answer.status).toBe(400);
    expect(wrongFields(answer)).toEqual({
      '/contactPhone': 'invalid_format',
      '/homeAddress': 'too_small',
      '/city': 'required',
      '/country': 'invalid_value',
      '/isDefault': 'invalid_type',
      '/ownerId': 'unknown_field',
      '/__proto__x': 'unknown_field',
    });
  });

  it('refuses a number that is none of the country', async () => {
    const answer = await account.call(person(), 'POST', path, { ...home, contactPhone: '123' });
    expect(answer.status).toBe(400);
    expect(wrongFields(answer)).toEqual({ '/contactPhone': 'invalid_phone' });
  });

  it('happens once for one Idempotency-Key', async () => {
    const who = person();
    const key = { 'idempotency-key': 'one-and-the-same' };
    const answers = await times(5, () => account.call(who, 'POST', path, home, key));
    expect(statuses(answers)).toEqual({ 201: 5 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await list(who)).toHaveLength(1);
    const { status, body } = await account.call(who, 'POST', path, { ...home, city: 'Delft' }, key);
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('and again under that key after a crash before the answer was kept, is one address', async () => {
    const who = person();
    const key = { 'idempotency-key': 'crashed-in-between' };
    const first = await account.call(who, 'POST', path, home, key);
    await account.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
    const second = await account.call(who, 'POST', path, home, key);
    expect(second.body).toEqual(first.body);
    expect(await list(who)).toHaveLength(1);
  });

  it('ends at 50', async () => {
    const who = person();
    for (let index = 0; index < 50; index += 1) await added(who);
    const { status, body } = await account.call(who, 'POST', path, home);
    expect([status, body.code]).toEqual([422, 'too_many_addresses']);
  });
});

describe('the list of addresses', () => {
  it('is the newest first, page by page', async () => {
    const who = person();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await added(who)).id);
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await account.call(who, 'GET', `${path}?limit=2${next}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (next);
    expect(seen).toEqual(ids);
  });

  it('of somebody without any is empty', async () => {
    expect((await account.call(person(), 'GET', path)).body).toEqual({ data: [], nextCursor: null });
  });

  it('takes no cursor of another user, no wrong limit and no unknown parameter', async () => {
    const [who, other] = [person(), person()];
    await added(who);
    await added(who);
    const { nextCursor } = (await account.call(who, 'GET', `${path}?limit=1`)).body;
    expect((await account.call(other, 'GET', `${path}?cursor=${nextCursor}`)).status).toBe(400);
    expect((await account.call(who, 'GET', `${path}?limit=0`)).status).toBe(400);
    expect((await account.call(who, 'GET', `${path}?owner=x`)).status).toBe(400);
  });
});

describe('changing an address', () => {
  it.each<[string, unknown, unknown]>([
    ['contactPhone', '06 1234 5678', '+31612345678'],
    ['homeAddress', 'Herengracht 2', 'Herengracht 2'],
    ['state', 'Utrecht', 'Utrecht'],
    ['state', null, null],
    ['city', 'Utrecht', 'Utrecht'],
    ['country', 'BE', 'BE'],
    ['isDefault', true, true],
  ])('takes %s alone: %j becomes %j', async (field, value, shown) => {
    const who = person();
    await added(who);
    const before = await added(who, { state: 'Noord-Holland' });
    const { status, headers, body } = await account.call(who, 'PATCH', `${path}/${before.id}`, { [field]: value });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, [field]: shown, updatedAt: body.updatedAt });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(headers.get('etag')).toBe('"2"');
    expect((await account.call(who, 'GET', `${path}/${before.id}`)).body).toEqual(body);
  });

  it('moves the default, and never leaves none', async () => {
    const who = person();
    const first = await added(who);
    const second = await added(who);
    const refused = await account.call(who, 'PATCH', `${path}/${first.id}`, { isDefault: false, city: 'Delft' });
    expect([refused.status, refused.body.code]).toEqual([422, 'default_required']);
    expect((await account.call(who, 'GET', `${path}/${first.id}`)).body.city).toBe('Amsterdam');
    await account.call(who, 'PATCH', `${path}/${second.id}`, { isDefault: true });
    expect((await defaults(who)).map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect((await account.call(who, 'PATCH', `${path}/${first.id}`, { isDefault: false })).status).toBe(200);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['nothing', {}, { '': 'invalid_value' }],
    ['no object', [], { '': 'invalid_type' }],
    ['an unknown field', { userId: 'user_x', city: 'Delft' }, { '/userId': 'unknown_field' }],
    ['its id', { id: 'addr_x', city: 'Delft' }, { '/id': 'unknown_field' }],
    ['an operator', { city: { $ne: null } }, { '/city': 'invalid_type' }],
    ['no city', { city: '  ' }, { '/city': 'too_small' }],
    ['nulls', { city: null, isDefault: null }, { '/city': 'invalid_type', '/isDefault': 'invalid_type' }],
    ['an unknown country', { country: 'EU' }, { '/country': 'invalid_value' }],
    ['a number of no country', { contactPhone: '0000' }, { '/contactPhone': 'invalid_phone' }],
  ])('with %s is refused', async (_what, change, errors) => {
    const who = person();
    const { id } = await added(who);
    const answer = await account.call(who, 'PATCH', `${path}/${id}`, change);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(wrongFields(answer)).toEqual(errors);
  });

  it("finds somebody else's, an unknown and a malformed one alike: not at all", async () => {
    const who = person();
    const { id } = await added(person());
    await added(who);
    const answers = await Promise.all(
      [id, newId('addr'), 'addr_x', newId('prod'), '%00', "'"].map((wanted) =>
        account.call(who, 'PATCH', `${path}/${wanted}`, { city: 'Delft' }),
      ),
    );
    expect(statuses(answers)).toEqual({ 404: 6 });
    expect(new Set(answers.slice(0, 2).map(({ body }) => body.detail)).size).toBe(1);
    expect((await account.call(who, 'GET', `${path}/${id}`)).status).toBe(404);
    expect((await account.call(who, 'DELETE', `${path}/${id}`)).status).toBe(404);
  });

  it('is refused without a login', async () => {
    const { status, headers } = await account.call(anonymous, 'PATCH', `${path}/${newId('addr')}`, { city: 'Delft' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('is refused where somebody has changed it since', async () => {
    const who = person();
    const { id } = await added(who);
    const seen = { 'if-match': '"1"' };
    expect((await account.call(who, 'PATCH', `${path}/${id}`, { city: 'Delft' }, seen)).status).toBe(200);
    expect((await account.call(who, 'PATCH', `${path}/${id}`, { city: 'Gouda' }, seen)).status).toBe(412);
    expect((await account.call(who, 'DELETE', `${path}/${id}`, undefined, seen)).status).toBe(412);
    expect((await account.call(who, 'GET', `${path}/${id}`, undefined, { 'if-none-match': '"2"' })).status).toBe(304);
  });

  it('50 times at once leaves exactly one default', async () => {
    const who = person();
    const ids = (await Promise.all(Array.from({ length: 10 }, () => added(who)))).map(({ id }) => id as string);
    expect(await defaults(who)).toHaveLength(1);
    const answers = await times(50, (index) =>
      account.call(who, 'PATCH', `${path}/${ids[index % ids.length]}`, { isDefault: true }),
    );
    expect(statuses(answers)).toEqual({ 200: 50 });
    for (const { body } of answers) expect(body.isDefault).toBe(true);
    expect(await defaults(who)).toHaveLength(1);
    expect(await list(who)).toHaveLength(10);
  });
});

describe('deleting an address', () => {
  it('hands being the default on to the newest', async () => {
    const who = person();
    const first = await added(who);
    await added(who);
    const newest = await added(who);
    const { status, body } = await account.call(who, 'DELETE', `${path}/${first.id}`);
    expect([status, body]).toEqual([204, null]);
    expect((await defaults(who)).map(({ id }: { id: string }) => id)).toEqual([newest.id]);
    expect((await account.call(who, 'DELETE', `${path}/${first.id}`)).status).toBe(404);
  });

  it('of the last one leaves none; the next is the default again', async () => {
    const who = person();
    const { id } = await added(who);
    await account.call(who, 'DELETE', `${path}/${id}`);
    expect(await list(who)).toEqual([]);
    expect((await added(who)).isDefault).toBe(true);
  });
});
