import { randomUUID } from 'node:crypto';
import { fact, identityEvents, toEvent } from '@storefront/contracts';
import { erasedKeyOf } from '@storefront/mongo';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

/** The fewest that may be set. Of one address a tenth of them is looked at. */
const perDay = 20;
const perAddress = perDay / 10;
let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ settings: { ANALYTICS_TEXTS_PER_DAY: String(perDay) } });
});
afterAll(() => service.close());

type Who = Parameters<Engagement['request']>[0];
let addresses = 0;

/** Tells of a search, or of several at once, from an address of its own. */
async function search(queries: string | readonly string[], who: Who, more: object = {}) {
  const at = new Date().toISOString();
  const events = [queries]
    .flat()
    .map((query) => ({ id: randomUUID(), type: 'search-performed', at, query, results: 1 }));
  const answer = await service.request(
    who,
    'POST',
    '/v1/analytics/events',
    { ...more, events },
    { 'x-client-ip': `192.0.2.${(addresses += 1)}` },
  );
  expect(answer.body).toMatchObject({ accepted: events.length });
}
const searchAsVisitor = (queries: string | readonly string[]) => search(queries, null, { anonymousId: randomUUID() });

const counted = () =>
  eventually(
    async () => (await service.collection('facts').countDocuments({ pending: true })) === 0,
    'the searches to be counted',
  );

/** How often each text was searched for, as the report says. */
async function report(): Promise<Record<string, number>> {
  await counted();
  const path = '/v1/analytics/reports/searches?limit=100&segment=';
  const found: Record<string, number> = {};
  for (const segment of ['retail', 'guest']) {
    const { status, body } = await service.request(service.people.admin, 'GET', path + segment);
    expect(status).toBe(200);
    for (const { words, times } of body.rows) found[words] = (found[words] ?? 0) + times;
  }
  return found;
}

const cellsWith = (text: string) => service.collection('roll_up_cells').countDocuments({ _id: { $regex: `${text}$` } });

describe('a text that is searched for', () => {
  it('is shown from five different people on, with what they searched for before', async () => {
    const anonymousId = randomUUID();
    for (const _ of [1, 2, 3, 4, 5]) await search('gyokuro', null, { anonymousId });
    for (const _ of [1, 2, 3]) await searchAsVisitor('gyokuro');
    const before = await report();
    expect(before['gyokuro']).toBeUndefined();
    expect(before['other']).toBe(8);
    expect(await cellsWith('gyokuro')).toBe(0);
    await searchAsVisitor('Gyokuro');
    // Of others nothing is left.
    expect(await report()).toEqual({ gyokuro: 9 });
    const body = { totals: { times: 9 } };
    expect((await service.request(service.people.admin, 'GET', '/v1/analytics/reports/searches')).body).toMatchObject(
      body,
    );
  });

  it('is gone with who searched for it, from facts, sums and reports', async () => {
    const [eve, ...others] = Array.from({ length: 5 }, () => principal('retail'));
    for (const who of [eve, ...others]) await search('blue kettle', who ?? null);
    await search('eve of the hill', eve ?? null);
    const event = {
      id: randomUUID(),
      type: 'custom',
      at: new Date().toISOString(),
      name: 'named-pet',
      properties: { pet: 'Rex' },
    };
    await service.request(eve ?? null, 'POST', '/v1/analytics/events', { events: [event] });
    expect((await report())['blue kettle']).toBe(5);
    const userId = eve?.sub ?? '';
    const requested = fact(identityEvents.userErasureRequested, userId, { email: 'eve@example.com', role: 'retail' });
    const before = await report();
    await service.publish(toEvent(requested, { sequence: 9, time: new Date() }));
    await service.idle();
    const after = await report();
    expect(after['blue kettle']).toBeUndefined();
    expect(after['other']).toBe((before['other'] ?? 0) + 5);
    expect(await cellsWith('blue kettle')).toBe(0);
    for (const name of ['facts', 'search_texts', 'roll_up_cells']) {
      const text = JSON.stringify(await service.collection(name).find().toArray());
      for (const word of ['eve of the hill', 'named-pet', 'Rex']) expect(text).not.toContain(word);
    }
    expect(await service.collection('facts').countDocuments({ 'data.words': 'blue kettle' })).toBe(4);
    // Another one makes it five again.
    await search('blue kettle', principal('retail'));
    expect((await report())['blue kettle']).toBe(5);

    await search('what came late', eve ?? null);
    expect(await service.collection('facts').countDocuments({ 'data.words': 'what came late' })).toBe(0);
  });

  /** What an erasure notes first. */
  const noteErased = (userId: string) =>
    service.collection('erased_users').insertOne({
      _id: erasedKeyOf(userId),
      keptUntil: new Date(Date.now() + 1_000_000),
    });

  it('is gone with who searched for it, though something of them comes between the parts of the erasure', async () => {
    const eve = principal('retail');
    await search('sencha of eve', eve);
    await noteErased(eve.sub);
    const event = { id: randomUUID(), type: 'checkout-started', at: new Date().toISOString() };
    await service.request(eve, 'POST', '/v1/analytics/events', { events: [event] });
    const requested = fact(identityEvents.userErasureRequested, eve.sub, { email: 'eve@example.com', role: 'retail' });
    await service.publish(toEvent(requested, { sequence: 9, time: new Date() }));
    await service.idle();
    expect(await service.collection('facts').countDocuments({ 'data.words': 'sencha of eve' })).toBe(0);
  });

  it('is gone once it comes again, where an instance ended between storing it and asking who was erased', async () => {
    const eve = principal('retail');
    const at = new Date().toISOString();
    const event = { id: randomUUID(), type: 'search-performed', at, query: 'bancha of eve', results: 1 };
    const address = { 'x-client-ip': `192.0.2.${(addresses += 1)}` };
    const send = () => service.request(eve, 'POST', '/v1/analytics/events', { events: [event] }, address);
    await send();
    await noteErased(eve.sub);
    const stored = await service.collection('facts').findOne({ 'data.words': 'bancha of eve' });
    // `last` is nobody, and has the number that was given last.
    await service.collection('people').deleteOne({ _id: { $ne: 'last' }, number: stored?.person });
    expect((await send()).body).toMatchObject({ duplicates: 1 });
    expect(await service.collection('facts').countDocuments({ 'data.words': 'bancha of eve' })).toBe(0);
  });

  it('has sums of its own only as long as there are not too many of a day; the rest is `other`', async () => {
    const before = await report();
    const texts = Array.from(
      { length: perDay + 4 },
      (_, at) => `made up ${'abcdefghij'[at % 10]}${'klmnop'[Math.floor(at / 10)]}`,
    );
    for (let first = 0; first < texts.length; first += perAddress) {
      const some = texts.slice(first, first + perAddress);
      await Promise.all([1, 2, 3, 4, 5].map(() => searchAsVisitor(some)));
    }
    const after = await report();
    const ofDays = await service
      .collection('roll_up_cells')
      .countDocuments({ _id: { $regex: '^searches 1 ' }, keptUntil: { $exists: true } });
    expect(ofDays).toBeLessThanOrEqual(perDay);
    expect(await service.collection('search_texts').countDocuments()).toBeLessThanOrEqual(perDay);
    const shown = texts.filter((text) => text in after);
    expect(shown.length).toBeLessThan(perDay);
    expect((after['other'] ?? 0) - (before['other'] ?? 0)).toBe(5 * (texts.length - shown.length));
  });
});
