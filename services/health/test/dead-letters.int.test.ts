import { auditEvents, auditRecord, fact, operator, queues, toEvent, topology, type Event } from '@storefront/contracts';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import { eventually, memoryLogger, principal, startService, type Harness } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { service } from '../src/service.ts';
import { definitions } from '../src/store/history.ts';

const admin = principal('admin');
const { name: queue } = queues.identity.onActionAudited;

let health: Harness;
let identity: Bus;
/** The events that the handler refuses, and those that it has handled. */
const refused = new Set<string>();
let handled: Event<any>[] = [];

beforeAll(async () => {
  health = await startService(service, { definitions, settings: { SERVICES: 'shop=http://127.0.0.1:1' } });
  // The place of identity, which handles what is written into the audit log.
  const { logger } = memoryLogger();
  identity = await connectRabbitmq({ url: await health.amqpUrl(), topology, logger, name: 'identity' });
  await identity.subscribe({
    queue,
    types: queues.identity.onActionAudited.contracts.map(({ type }) => type),
    async handle(event) {
      if (refused.has(event.id)) return { outcome: 'reject', reason: 'it was refused here' };
      handled.push(event);
      return 'done';
    },
  });
});
afterAll(async () => {
  await identity.close();
  await health.close();
});
beforeEach(async () => {
  await identity.deadLetters.drop(() => true);
  handled = [];
});

/** Makes dead letters about these subjects. Returns the ids of their events. */
async function makeDeadLetters(...subjects: string[]): Promise<string[]> {
  const record = auditRecord(operator, 'product-changed', { object: { type: 'product', id: null } });
  const events = subjects.map((subject) =>
    toEvent(fact(auditEvents.catalog, subject, record), { sequence: 1, time: health.now() }),
  );
  for (const { id } of events) refused.add(id);
  for (const event of events) {
    const [published] = await identity.publish([event]);
    expect(published?.confirmed).toBe(true);
    await eventually(
      async () => (await identity.deadLetters.list()).some(({ event: dead }) => 'id' in dead && dead.id === event.id),
      'the dead letter',
    );
  }
  refused.clear();
  return events.map(({ id }) => id);
}

const list = (query = '') => health.call(admin, 'GET', `/v1/dead-letters${query}`);
const act = (action: string, selection: object) => health.call(admin, 'POST', `/v1/dead-letters/${action}`, selection);
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map(({ event }: any) => event.id);
/** Waits for the entry that `action` writes into the audit log. */
const entryOf = (action: string) =>
  eventually(
    () => handled.find(({ data, source }) => source === 'health' && data.action === action)?.data,
    `the entry ${action} of the audit log`,
  );

describe('GET /v1/dead-letters', () => {
  it('shows where each comes from and why, but not what is in it', async () => {
    const [id] = await makeDeadLetters('prd_one');
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          position: 1,
          queue,
          reason: 'it was refused here',
          attempts: 1,
          firstSeenAt: expect.stringMatching(/Z$/),
          deadSince: expect.stringMatching(/Z$/),
          event: { id, type: 'catalog.action-audited', subject: 'prd_one', time: expect.stringMatching(/Z$/) },
        },
      ],
      nextCursor: null,
    });
  });

  it('lists by pages, the oldest first, and by queue, event and text', async () => {
    const ids = await makeDeadLetters('prd_one', 'prd_two', 'prd_three');
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(idsOf(await list(`?limit=2&cursor=${first.body.nextCursor}`))).toEqual(ids.slice(2));
    expect(idsOf(await list(`?queue=${queue}`))).toEqual(ids);
    expect(idsOf(await list('?queue=account.on-order-placed'))).toEqual([]);
    expect(idsOf(await list(`?event=${ids[1]}`))).toEqual([ids[1]]);
    expect(idsOf(await list('?about=prd_three'))).toEqual([ids[2]]);
  });

  it('shows all of them to each of several who ask at once', async () => {
    const ids = await makeDeadLetters('prd_one', 'prd_two');
    const answers = await Promise.all([list(), list(), list()]);
    expect(answers.map(idsOf)).toEqual([ids, ids, ids]);
  });
});

it('sends back those that are selected, which are handled then, and leaves the others', async () => {
  const [one, two] = await makeDeadLetters('prd_one', 'prd_two');
  const { status, body } = await act('replay', { event: one });
  expect([status, body]).toEqual([200, { replayed: 1 }]);
  await eventually(() => handled.some(({ id }) => id === one), 'the event that was sent back');
  expect(idsOf(await list())).toEqual([two]);
  expect(await entryOf('dead-letters-replayed')).toMatchObject({
    actor: { userId: admin.sub, role: 'admin' },
    details: { event: one },
  });
  expect((await act('replay', { queue: 'account.on-order-placed' })).body).toEqual({ replayed: 0 });
});

it('deletes those that are selected', async () => {
  const [, two] = await makeDeadLetters('prd_one', 'prd_two');
  const { status, body } = await act('drop', { queue, about: 'prd_one' });
  expect([status, body]).toEqual([200, { dropped: 1 }]);
  expect(idsOf(await list())).toEqual([two]);
  expect(await entryOf('dead-letters-dropped')).toMatchObject({ details: { queue, about: 'prd_one' } });
  expect((await act('drop', { all: true })).body).toEqual({ dropped: 1 });
  expect(await identity.deadLetters.count()).toBe(0);
});

it.each(['replay', 'drop'])('%s wants to be told which ones', async (action) => {
  const empty = await act(action, {});
  expect([empty.status, empty.body.errors[0].message]).toEqual([400, 'must name queue, event or about, or say all']);
  const wrong = await act(action, { event: 'x', all: false, queues: 'y' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map(({ pointer }: any) => pointer).toSorted()).toEqual(['/all', '/event', '/queues']);
});

it('answers 503 while the broker is away, and is ready all the same', async () => {
  const settings = { ...health.settings, AMQP_URL: 'amqp://127.0.0.1:1' };
  const running = await service.startWith(settings, { now: health.now, logger: memoryLogger().logger });
  try {
    const headers = await health.headersFor(admin);
    const answer = await fetch(`${running.url}/v1/dead-letters`, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'broker_unavailable' });
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  } finally {
    await running.close();
  }
});
