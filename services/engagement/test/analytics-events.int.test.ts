import { randomUUID } from 'node:crypto';
import { catalogEvents, newId } from '@storefront/contracts';
import { anonymous, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addProduct } from './offers.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
let productId: string;
const categoryId = newId('cat');
beforeAll(async () => {
  service = await startEngagement({ settings: { ANALYTICS_EVENTS_PER_DAY: '100', ANALYTICS_TEXTS_PER_DAY: '1000' } });
  productId = await addProduct(service, { price: 100 });
  const category = { id: categoryId, name: 'Tea', slug: 'tea', parentId: null, path: [], isActive: true };
  await service.publish(service.event(catalogEvents.categoryCreated, categoryId, category));
  await service.idle();
});
afterAll(() => service.close());

type Who = Parameters<Engagement['request']>[0];
let addresses = 0;

function tell(
  events: readonly unknown[],
  who: Who = anonymous,
  more: object = {},
  headers: Record<string, string> = {},
) {
  const address = { 'x-client-ip': `192.0.2.${(addresses += 1)}` };
  return service.request(who, 'POST', '/v1/analytics/events', { ...more, events }, { ...address, ...headers });
}

const event = (type: string, more: object = {}) => ({ id: randomUUID(), type, at: new Date().toISOString(), ...more });
const viewed = () => event('product-viewed', { productId });
const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
const factOf = ({ id }: { readonly id: string }) => service.collection('facts').findOne({ _id: id });

describe('events of clients', () => {
  it('are facts, of each type', async () => {
    const events = [
      event('product-viewed', { productId }),
      event('category-viewed', { categoryId }),
      event('search-performed', { query: '  Grüner \t TEE ', results: 3 }),
      event('cart-updated'),
      event('checkout-started'),
      event('custom', { name: 'banner-clicked', properties: { place: 'top', count: 1, isNew: true } }),
    ];
    const answer = await tell(events, principal('trade'));
    expect([answer.status, answer.body]).toEqual([202, { accepted: 6, duplicates: 0, rejected: [] }]);
    const stored = await Promise.all(events.map(factOf));
    expect(stored.map((fact) => fact?.['data'])).toEqual([
      { productId },
      { categoryId },
      { words: 'grüner tee', results: 3 },
      {},
      {},
      { name: 'banner-clicked', properties: { place: 'top', count: 1, isNew: true } },
    ]);
    expect(stored.every((fact) => fact?.['segment'] === 'trade' && fact['person'] === stored[0]?.['person'])).toBe(
      true,
    );
  });

  it('count once under their ids', async () => {
    const [one, two] = [viewed(), viewed()];
    expect((await tell([one, one])).body).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    expect((await tell([two, { ...one, id: one.id.toUpperCase() }])).body).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [],
    });
  });

  it('refuse themselves alone', async () => {
    const wrong: [unknown, string][] = [
      [null, 'unknown_type'],
      ['text', 'unknown_type'],
      [event('order-placed'), 'unknown_type'],
      [{ ...viewed(), price: 1 }, 'invalid_fields'],
      [{ ...viewed(), productId: 'mug' }, 'invalid_fields'],
      [{ ...viewed(), id: newId('evt') }, 'invalid_fields'],
      [{ ...viewed(), at: 'yesterday' }, 'invalid_fields'],
      [event('search-performed', { query: '   ', results: 0 }), 'invalid_fields'],
      [
        event('custom', { name: 'many', properties: Object.fromEntries(Array.from('abcdefghijk', (key) => [key, 1])) }),
        'invalid_fields',
      ],
      [event('custom', { name: 'deep', properties: { a: { b: 1 } } }), 'invalid_fields'],
      [{ ...viewed(), at: ago(-1.01) }, 'in_the_future'],
      [{ ...viewed(), at: ago(1.01) }, 'too_old'],
      [event('product-viewed', { productId: newId('prod') }), 'unknown_product'],
      [event('category-viewed', { categoryId: newId('cat') }), 'unknown_category'],
      [event('custom', { name: 'paid', properties: { card: '4111 1111 1111 1111' } }), 'personal_data'],
      [event('custom', { name: 'signed-up', properties: { who: 'Ada <ada@example.com>' } }), 'personal_data'],
    ];
    const right = [viewed(), { ...viewed(), at: ago(-0.99) }, { ...viewed(), at: ago(0.99) }];
    const answer = await tell([right[0], ...wrong.map(([each]) => each), right[1], right[2]]);
    expect(answer.body).toEqual({
      accepted: 3,
      duplicates: 0,
      rejected: wrong.map(([, code], index) => ({ index: index + 1, code })),
    });
  });

  it('are of the last 30 days at most with a token, and of the last day without one', async () => {
    const [longAgo, before] = [
      { ...viewed(), at: ago(29.99) },
      { ...viewed(), at: ago(30.01) },
    ];
    const tooOld = (index: number) => ({ index, code: 'too_old' });
    expect((await tell([longAgo, before], principal('retail'))).body).toMatchObject({
      accepted: 1,
      rejected: [tooOld(1)],
    });
    expect((await tell([longAgo, before])).body).toMatchObject({ accepted: 0, rejected: [tooOld(0), tooOld(1)] });
  });

  it('keep no text that holds an email address, a phone number or the number of a card', async () => {
    const queries = ['ada@example.com', 'mug 4111-1111-1111-1111', '+49 (30) 123 456 78', 'Other'];
    const events = queries.map((query) => event('search-performed', { query, results: 0 }));
    expect((await tell(events)).body).toEqual({ accepted: 4, duplicates: 0, rejected: [] });
    for (const sent of events) expect((await factOf(sent))?.['data']).toEqual({ words: null, results: 0 });
  });

  it('take a text for the same with dotted and dotless i, in either case', async () => {
    const events = ['İstanbul', 'ISTANBUL', 'istanbul', 'ıstanbul'].map((query) =>
      event('search-performed', { query, results: 1 }),
    );
    await tell(events);
    for (const sent of events) expect((await factOf(sent))?.['data']).toMatchObject({ words: 'istanbul' });
  });

  it('keep the texts of as many searches of an address as a tenth of those of a day', async () => {
    const search = () =>
      event('search-performed', { query: `made up ${randomUUID().replaceAll(/\d/g, '')}`, results: 0 });
    const address = { 'x-client-ip': '198.51.100.7' };
    const all = [Array.from({ length: 80 }, search), Array.from({ length: 80 }, search)];
    for (const some of all)
      expect((await tell(some, anonymous, { anonymousId: randomUUID() }, address)).body.accepted).toBe(80);
    const stored = await Promise.all(all.flat().map(factOf));
    expect(stored.filter((fact) => fact?.['data'].words !== null)).toHaveLength(100);
  });

  it('of robots are counted apart, and are of nobody', async () => {
    const robot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
    const sent = [viewed(), event('search-performed', { query: 'from a robot', results: 0 })];
    const answer = await tell(sent, anonymous, { anonymousId: randomUUID() }, robot);
    expect(answer.body).toEqual({ accepted: 2, duplicates: 0, rejected: [] });
    for (const each of sent) expect(await factOf(each)).toMatchObject({ kind: 'robot-event', person: null, data: {} });
  });

  it('are at least 1 and at most 100', async () => {
    expect((await tell([])).status).toBe(400);
    expect((await tell(Array.from({ length: 101 }, viewed))).status).toBe(400);
    expect((await tell([viewed()], anonymous, { anonymousId: 'ada@example.com.....' })).status).toBe(400);
  });
});

describe('the person of such events', () => {
  const send = async (who: Who, more: object = {}, headers: Record<string, string> = {}) => {
    const sent = viewed();
    await tell([sent], who, more, headers);
    return factOf(sent);
  };

  it('is the user of the token, or else the visitor', async () => {
    const anonymousId = randomUUID();
    const [ada, again] = [await send(service.people.ada, { anonymousId }), await send(service.people.ada)];
    const [visitor, back] = [await send(anonymous, { anonymousId }), await send(anonymous, { anonymousId })];
    expect([ada?.['segment'], visitor?.['segment']]).toEqual(['retail', 'guest']);
    expect(ada?.['person']).toBe(again?.['person']);
    expect(visitor?.['person']).toBe(back?.['person']);
    expect(visitor?.['person']).not.toBe(ada?.['person']);
    expect(await send(anonymous)).toMatchObject({ person: null, segment: 'guest' });
  });

  it('is nobody for who does not want to be known again', async () => {
    for (const header of ['sec-gpc', 'dnt'])
      expect(await send(service.people.ada, {}, { [header]: '1' })).toMatchObject({ person: null, segment: 'retail' });
    expect(await send(service.people.ada, {}, { dnt: '0' })).toMatchObject({ person: expect.any(Number) });
  });

  it('is kept without an address or an id', async () => {
    const anonymousId = randomUUID();
    await send(anonymous, { anonymousId });
    for (const name of ['facts', 'people', 'event_counts']) {
      const text = JSON.stringify(await service.collection(name).find().toArray());
      expect(text).not.toContain('192.0.2.');
      expect(text).not.toContain(anonymousId);
    }
  });
});

it('takes JSON that a browser calls text', async () => {
  const sent = viewed();
  const asText = { 'content-type': 'text/plain;charset=UTF-8' };
  const answer = await tell([sent], anonymous, {}, asText);
  expect([answer.status, answer.body]).toMatchObject([202, { accepted: 1 }]);
  expect((await tell([], anonymous, {}, asText)).status).toBe(400);
});

it('takes as many events a day of one visitor as there may be, however many are sent at once', () =>
  service.atOneMoment(async () => {
    const anonymousId = randomUUID();
    const batch = () => Array.from({ length: 30 }, viewed);
    const answers = await Promise.all(Array.from({ length: 8 }, () => tell(batch(), anonymous, { anonymousId })));
    const accepted = answers.reduce((sum, { body }) => sum + body.accepted, 0);
    const codes = answers.flatMap(({ body }) => body.rejected.map(({ code }: { code: string }) => code));
    expect(accepted).toBe(100);
    expect(new Set(codes)).toEqual(new Set(['too_many']));
    expect(codes).toHaveLength(140);
    expect((await tell([viewed()], anonymous, { anonymousId: randomUUID() })).body.accepted).toBe(1);
  }));
