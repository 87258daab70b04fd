import {
  fact,
  identityEvents,
  joinExportPages,
  newId,
  queues,
  toEvent,
  topology,
  userDataEvents,
  type Event,
  type UserDataKeeper,
} from '@storefront/contracts';
import { createInProcessBroker, on, subscription, type Delivered } from '@storefront/messaging';
import { checkStoredDocuments, createRelay, openCollections, openDatabase } from '@storefront/mongo';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openUserData, unlessErased, userDataCollections, type PersonalData } from '../src/index.ts';

const since = new Date('2026-05-01T12:00:00.000Z');

/** A service that keeps one note of each user, in memory. `log` is what it did, in order. */
async function startService(name: UserDataKeeper) {
  const { logger } = memoryLogger();
  const place = freshDatabase(`user_data_${name}`);
  const database = await openDatabase(place.url, logger);
  const delivered: Delivered[] = [];
  const broker = createInProcessBroker({
    topology,
    retryDelaysMs: [20],
    onDelivery: (delivery) => delivered.push(delivery),
  });
  const bus = broker.connect({ name, logger });
  const relay = createRelay({ bus, logger });
  await openCollections(database, userDataCollections);
  const userData = openUserData(name, { database, relay, now: () => since });

  const log: string[] = [];
  const notes = new Map<string, string>();
  /** Parts of a list that every user has, where a test gives some. */
  const large: string[][] = [];
  const personalData: PersonalData = {
    async *collect({ userId }) {
      yield { note: notes.get(userId), since };
      for (const letters of large) {
        yield { letters };
        if (log.length === 0 && notes.get(userId) === 'killed halfway') throw new Error('it is killed');
      }
    },
    async erase({ userId, email }) {
      log.push(`erase ${email}, ${(await userData.erasedUsers.has(userId)) ? 'erased' : 'not erased'} before`);
      if (log.length === 1 && notes.get(userId) === 'stuck') throw new Error('it is stuck');
      notes.delete(userId);
    },
    afterErasure: async ({ email }, requestId) =>
      void log.push(`after ${email} ${requestId}, ${answers.length} answers`),
  };
  const answers: Event[] = [];
  await bus.broadcast({
    name: 'answers',
    types: Object.values(userDataEvents[name]).map(({ type }) => type),
    handle: (event) => answers.push(event),
  });
  await bus.subscribe(userData.subscription([personalData]));
  relay.start();

  return {
    database,
    erasedUsers: userData.erasedUsers,
    notes,
    large,
    log,
    answers,
    delivered,
    bus,
    /** Publishes, and waits until every event was handled. */
    async publish(...events: readonly Event[]): Promise<void> {
      const before = finished();
      await bus.publish(events);
      await eventually(() => finished() === before + events.length, 'the events to be handled');
    },
    async close() {
      const faults = await checkStoredDocuments(database, userDataCollections);
      await broker.close();
      await relay.close();
      await database.close();
      await place.drop();
      expect(faults).toEqual([]);
    },
  };

  function finished(): number {
    return delivered.filter(({ outcome }) => outcome !== 'retry').length;
  }
}

interface Page {
  readonly collection: string;
  readonly page: number;
  readonly pages?: number;
  readonly data: Record<string, unknown>;
}
const pageOf = ({ data }: Event) => data as Page;
async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

const at = { sequence: 1, time: since };
const email = 'ada@example.com';
const erasureOf = (userId: string) =>
  toEvent(fact(identityEvents.userErasureRequested, userId, { email, role: 'retail' }), at);
const exportOf = (userId: string, exportId: string) =>
  toEvent(fact(identityEvents.userExportRequested, userId, { exportId, email }), at);

describe.each(['account', 'engagement'] as const)('the user data of %s', (name) => {
  let service: Awaited<ReturnType<typeof startService>>;
  let userId: string;
  beforeEach(async () => {
    service = await startService(name);
    userId = newId('user');
    service.notes.set(userId, 'likes tea');
  });
  afterEach(() => service.close());

  test('is erased before the erasure is answered, and once, however often it is requested', async () => {
    const request = erasureOf(userId);
    await service.publish(request);
    const answer = await eventually(() => service.answers[0], 'the answer');
    expect(answer).toMatchObject({
      type: `${name}.user-data-erased`,
      subject: userId,
      data: { requestId: request.id },
    });
    const done = [`erase ${email}, erased before`, `after ${email} ${request.id}, 0 answers`];
    expect(service.log).toEqual(done);
    expect(service.notes.size).toBe(0);

    await service.publish(request);
    expect(service.log).toEqual(done);
    await service.publish(erasureOf(newId('user')));
    await eventually(() => service.answers.length > 1, 'the answer to another request');
    expect(service.answers).toHaveLength(2);
  });

  test('is not answered for until the erasure has succeeded', async () => {
    service.notes.set(userId, 'stuck');
    await service.publish(erasureOf(userId));
    await eventually(() => service.answers.length > 0, 'the answer');
    expect(service.delivered.map(({ outcome }) => outcome)).toEqual(['retry', 'done']);
    expect(service.notes.size).toBe(0);
  });

  test('is erased again when the account is gone, without the email and without an answer', async () => {
    await service.publish(toEvent(fact(identityEvents.userErased, userId, {}), at));
    expect(service.log).toEqual(['erase null, erased before']);
    expect(service.notes.size).toBe(0);
    await service.publish(erasureOf(newId('user')));
    await eventually(() => service.answers.length > 0, 'the answer to another request');
    expect(service.answers).toHaveLength(1);
  });

  test('is exported as JSON, once, however often it is requested', async () => {
    const exportId = newId('exp');
    const request = exportOf(userId, exportId);
    await service.publish(request);
    const answer = await eventually(() => service.answers[0], 'the answer');
    expect(answer).toMatchObject({ type: `${name}.user-data-exported`, subject: userId });
    expect(answer.data).toEqual({ exportId, data: { note: 'likes tea', since: since.toISOString() } });
    await service.publish(request);
    await service.publish(exportOf(userId, newId('exp')));
    await eventually(() => service.answers.length > 1, 'the answer to another request');
    expect(service.answers).toHaveLength(2);
  });

  test('that is requested again is answered again by those whose answer is missing, and nothing is done twice', async () => {
    const request = erasureOf(userId);
    const requestedAgain = (waitingFor: string[]) => ({ ...request, data: { email, role: 'retail', waitingFor } });
    await service.publish(request);
    await eventually(() => service.answers.length === 1, 'the answer');
    const done = [...service.log];
    await service.publish(requestedAgain(['another']), requestedAgain([name]));
    await eventually(() => service.answers.length === 2, 'the answer again');
    expect(service.answers[1]?.data).toEqual({ requestId: request.id });
    expect(service.log).toEqual(done);

    const exportId = newId('exp');
    const requested = { exportId, email };
    await service.publish(exportOf(userId, exportId));
    const again = (waitingFor: string[]) =>
      toEvent(fact(identityEvents.userExportRequested, userId, { ...requested, waitingFor }), at);
    await service.publish(again(['another']), again([name]));
    await eventually(() => service.answers.length === 4, 'the export again');
    expect(service.answers[3]?.data).toEqual(service.answers[2]?.data);
  });

  test('that was never answered is erased where it is requested again', async () => {
    const request = erasureOf(userId);
    await service.publish({ ...request, data: { email, role: 'retail', waitingFor: [name] } });
    await eventually(() => service.answers.length === 1, 'the answer');
    expect(service.notes.size).toBe(0);
  });

  test('is exported in pages where it is too much for one event, also after a crash between two of them', async () => {
    const letters = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(2500)}`);
    service.large.push(letters.slice(0, 250), letters.slice(250));
    service.notes.set(userId, 'killed halfway');
    const broken = service.publish(exportOf(userId, 'exp_1'));
    await eventually(() => service.delivered.length > 0, 'the first try');
    service.log.push('from now on it is not killed');
    await broken;
    const last = await eventually(() => service.answers.find((event) => pageOf(event).pages), 'the last page');
    const { collection, pages } = pageOf(last);
    // An event may be published twice.
    const ofReading = service.answers.map(pageOf).filter((page) => page.collection === collection);
    const whole = [...new Map(ofReading.map((page) => [page.page, page])).values()];
    expect(service.answers.length).toBeGreaterThan(ofReading.length);
    expect(whole.map(({ page }) => page)).toEqual(Array.from({ length: pages ?? 0 }, (_, index) => index + 1));
    expect(pages).toBeGreaterThan(3);
    for (const event of service.answers) expect(JSON.stringify(event).length).toBeLessThan(300 * 1024);
    const json = await Array.fromAsync(joinExportPages(each(whole.map(({ data }) => data))));
    expect(JSON.parse(json.join(''))).toEqual({ note: 'killed halfway', since: since.toISOString(), letters });
  });

  test('is remembered as answered for 90 days', async () => {
    const request = erasureOf(userId);
    await service.publish(request);
    await eventually(() => service.answers[0], 'the answer');
    const requests = service.database.getClient().db(service.database.name).collection('data_requests');
    const [stored] = await requests.find().toArray();
    expect(stored).toMatchObject({ _id: request.id, version: 1, kind: 'erasure', answeredAt: since });
    expect(await requests.indexes()).toContainEqual({
      v: 2,
      key: { answeredAt: 1 },
      name: 'kept',
      expireAfterSeconds: 90 * 24 * 60 * 60,
    });
  });
});

test('unlessErased leaves out the events of erased users only, and takes back what was written meanwhile', async () => {
  const service = await startService('engagement');
  const [erased, other, meanwhile] = [newId('user'), newId('user'), newId('user')];
  const takenBack: string[] = [];
  await service.erasedUsers.add([erased]);
  const welcomed: string[] = [];
  const welcome = subscription(queues.engagement.onUserVerified, [
    on(identityEvents.userVerified, async ({ subject }) => {
      if (subject === meanwhile) await service.erasedUsers.add([meanwhile]);
      welcomed.push(subject);
    }),
  ]);
  const takeBack = async (subject: string) => void takenBack.push(`${subject} of ${welcomed.length}`);
  await service.bus.subscribe(unlessErased(welcome, service.erasedUsers, takeBack));
  const ada = { email, firstName: 'Ada', lastName: 'Lovelace', role: 'retail' } as const;
  const verified = (userId: string) => toEvent(fact(identityEvents.userVerified, userId, ada), at);
  await service.publish(verified(erased), verified(other));
  await service.publish(verified(meanwhile));
  expect(welcomed).toEqual([other, meanwhile]);
  expect(takenBack).toEqual([`${meanwhile} of 2`]);
  expect(service.delivered.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  await service.close();
});
