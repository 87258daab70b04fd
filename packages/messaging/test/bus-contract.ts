import { setTimeout as wait } from 'node:timers/promises';
import { newId, type Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { describe, expect, test } from 'vitest';
import { currentCause, type DeadLetterPage, type Delivered, type Handler } from '../src/index.ts';
import { inEachTest, type Harness } from './buses.ts';
import { event, registered, revoked, statistics, stockChanged, welcome } from './events.ts';

/** The contract of every bus. */
export function describeBus(kind: string, open: () => Promise<Harness>): void {
  describe(`a bus (${kind})`, () => {
    const { connect } = inEachTest(open);

    test('delivers what was published while its consumer had never run', async () => {
      const bus = await connect();
      const sent = event(registered);
      expect(await bus.publish([sent])).toEqual([{ id: sent.id, confirmed: true }]);
      const received: Event[] = [];
      await bus.subscribe({ ...welcome, handle: collectInto(received) });
      await eventually(() => received.length === 1, 'the event');
      expect(received[0]).toEqual(sent);
      expect(received[0]).not.toBe(sent);
    });

    test('routes by type to each queue that awaits it', async () => {
      const bus = await connect();
      const welcomed: Event[] = [];
      const counted: Event[] = [];
      await bus.subscribe({ ...welcome, handle: collectInto(welcomed) });
      await bus.subscribe({ ...statistics, handle: collectInto(counted) });
      const events = [event(registered), event(stockChanged), event(registered)];
      await bus.publish(events);
      await eventually(() => counted.length === 3 && welcomed.length === 2, 'all three and the two registrations');
      expect(welcomed.map(({ id }) => id)).toEqual([events[0]?.id, events[2]?.id]);
    });

    test('confirms an event that no queue takes', async () => {
      const bus = await connect();
      expect(await bus.publish([event('catalog.category-created')])).toMatchObject([{ confirmed: true }]);
      expect(await bus.publish([event(revoked)], { transient: true })).toMatchObject([{ confirmed: true }]);
      expect(await bus.publish([])).toEqual([]);
    });

    test('refuses a subscription that the topology does not hold', async () => {
      const bus = await connect();
      const handle: Handler = async () => 'done';
      await expect(bus.subscribe({ queue: 'nobody.on-this', types: [registered], handle })).rejects.toMatchObject({
        code: 'messaging_subscription_unknown',
      });
      await expect(bus.subscribe({ ...welcome, types: [registered, revoked], handle })).rejects.toThrow(revoked);
    });

    test('gives each event to one of two instances that share a queue', async () => {
      const [one, other] = [await connect({ prefetch: 1 }), await connect({ prefetch: 1 })];
      const received: [Event[], Event[]] = [[], []];
      const slowly = (into: Event[]): Handler => {
        return async (receivedEvent) => {
          await wait(5);
          into.push(receivedEvent);
          return 'done';
        };
      };
      await one.subscribe({ ...welcome, handle: slowly(received[0]) });
      await other.subscribe({ ...welcome, handle: slowly(received[1]) });
      const events = Array.from({ length: 20 }, () => event(registered));
      await one.publish(events);
      await eventually(() => received.flat().length >= 20, 'all 20');
      expect(idsOf(received.flat()).toSorted()).toEqual(idsOf(events).toSorted());
      expect(received.every((each) => each.length > 0)).toBe(true);
    });

    test('handles as many events at once as a subscription says, and of one subject too where their order does not matter', async () => {
      const bus = await connect({ prefetch: 2 });
      let [underWay, most] = [0, 0];
      const received: Event[] = [];
      const enough = Promise.withResolvers<void>();
      const handle: Handler = async (receivedEvent) => {
        most = Math.max(most, (underWay += 1));
        if (underWay === 5) enough.resolve();
        await enough.promise;
        underWay -= 1;
        received.push(receivedEvent);
        return 'done';
      };
      await bus.subscribe({ ...welcome, handle, prefetch: 5, anyOrder: true });
      const [{ subject }, ...events] = [event(registered), ...Array.from({ length: 12 }, () => event(registered))];
      await bus.publish(events.map((each) => ({ ...each, subject })));
      await eventually(() => received.length === 12, 'all 12');
      expect(most).toBe(5);
    });

    test('tries again after each delay, with the attempt counted', async () => {
      const delivered: Delivered[] = [];
      const bus = await connect({ onDelivery: (delivery) => delivered.push(delivery) });
      const tries: { attempt: number; at: number }[] = [];
      await bus.subscribe({
        ...welcome,
        async handle(_event, { attempt }) {
          tries.push({ attempt, at: performance.now() });
          if (attempt === 1) throw new Error('the first time fails');
          return attempt === 2 ? 'retry' : 'done';
        },
      });
      await bus.publish([event(registered)]);
      await eventually(() => delivered.length === 3, 'three tries');
      expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      const [first, second, third] = tries.map(({ at }) => at) as [number, number, number];
      expect(second - first).toBeGreaterThan(38);
      expect(third - second).toBeGreaterThan(78);
      expect(delivered.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'done']);
      expect(await bus.deadLetters.count()).toBe(0);
    });

    test('does not count a try that was put off with later', async () => {
      const bus = await connect({ retryDelaysMs: [20, 30] });
      const attempts: number[] = [];
      await bus.subscribe({
        ...welcome,
        async handle(_event, { attempt }) {
          attempts.push(attempt);
          return attempts.length <= 6 ? { outcome: 'later', reason: 'the database is away' } : 'done';
        },
      });
      await bus.publish([event(registered)]);
      await eventually(() => attempts.length === 7, 'more tries than there are delays');
      expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1]);
      expect(await bus.deadLetters.count()).toBe(0);
    });

    test('tries what is unknown again for a while, not counted, then makes a dead letter that says so', async () => {
      const bus = await connect({ retryDelaysMs: [20, 20, 30], unknownForMs: 1_500 });
      const attempts = new Map<string, number[]>();
      const [known, never] = [event(registered), event(registered)];
      await bus.subscribe({
        ...welcome,
        async handle({ id }, { attempt }) {
          const before = attempts.get(id) ?? [];
          attempts.set(id, [...before, attempt]);
          return id === known.id && before.length === 5 ? 'done' : { outcome: 'unknown', reason: 'no such status' };
        },
      });
      await bus.publish([known, never]);
      await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
      expect(attempts.get(known.id)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(attempts.get(never.id)?.length).toBeGreaterThan(4);
      const [deadLetter] = await bus.deadLetters.list();
      expect(deadLetter).toMatchObject({
        event: never,
        attempts: 0,
        reason: 'no such status; still unknown 1500 ms after it was first seen',
      });
    });

    test('counts what is ready and what waits for another try', async () => {
      const bus = await connect({ retryDelaysMs: [60_000] });
      expect(await bus.backlog()).toEqual({ queues: [], delayed: 0 });
      await bus.subscribe({ ...welcome, handle: async () => 'retry' });
      await bus.publish([event(registered), event(registered)]);
      await eventually(async () => (await bus.backlog()).delayed === 2, 'both to wait');
      expect(await bus.backlog()).toEqual({ queues: [{ queue: welcome.queue, ready: 0 }], delayed: 2 });
    });

    test('a delay does not block a shorter one', async () => {
      const bus = await connect({ retryDelaysMs: [50, 60_000] });
      const slow = event(registered);
      const tries: string[] = [];
      await bus.subscribe({
        ...welcome,
        async handle({ id }, { attempt }) {
          tries.push(id);
          return id === slow.id || attempt === 1 ? 'retry' : 'done';
        },
      });
      await bus.publish([slow]);
      await eventually(async () => tries.length === 2 && (await bus.backlog()).delayed === 1, 'the long delay');
      const quick = event(registered);
      await bus.publish([quick]);
      await eventually(() => tries.length === 4, 'the short delay to be over');
      expect(tries).toEqual([slow.id, slow.id, quick.id, quick.id]);
    });

    test('makes a dead letter of what fails after the last delay, with the reason of the last try', async () => {
      const bus = await connect();
      await bus.subscribe({
        ...welcome,
        async handle(_event, { attempt }) {
          throw new Error(`failed ${attempt}`);
        },
      });
      const sent = event(registered);
      const before = new Date().toISOString();
      await bus.publish([sent]);
      await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
      const [deadLetter] = await bus.deadLetters.list();
      expect(deadLetter).toMatchObject({ queue: welcome.queue, reason: 'failed 3', attempts: 3, event: sent });
      expect(deadLetter && deadLetter.firstSeen >= before && deadLetter.diedAt > deadLetter.firstSeen).toBe(true);
    });

    test('rejects at once with the reason given', async () => {
      const bus = await connect({ retryDelaysMs: [60_000] });
      await bus.subscribe({ ...welcome, handle: async () => ({ outcome: 'reject', reason: 'no such address' }) });
      await bus.publish([event(registered)]);
      await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
      expect(await bus.deadLetters.list()).toMatchObject([{ reason: 'no such address', attempts: 1 }]);
    });

    test('makes a dead letter of what is not an event', async () => {
      const bus = await connect();
      const received: Event[] = [];
      await bus.subscribe({ ...welcome, handle: collectInto(received) });
      const good = event(registered);
      await bus.publish([{ ...good, subject: '', id: 'nothing' }, good]);
      await eventually(async () => received.length === 1 && (await bus.deadLetters.count()) === 1, 'the dead letter');
      const [deadLetter] = await bus.deadLetters.list();
      expect(deadLetter).toMatchObject({
        queue: welcome.queue,
        attempts: 1,
        event: { unreadable: expect.any(String) },
      });
      expect(deadLetter?.reason).toMatch(/^not an event: id: /);
      expect(received).toEqual([good]);
    });

    test('lists dead letters without removing them, oldest first, and replays or drops those that match', async () => {
      const bus = await connect({ prefetch: 1 });
      const healed = new Set<string>();
      const attempts: number[] = [];
      const done: Event[] = [];
      await bus.subscribe({
        ...welcome,
        async handle(received, { attempt }) {
          if (!healed.has(received.id)) return { outcome: 'reject', reason: 'broken' };
          attempts.push(attempt);
          done.push(received);
          return 'done';
        },
      });
      const events = Array.from({ length: 5 }, () => event(registered));
      await bus.publish(events);
      await eventually(async () => (await bus.deadLetters.count()) === 5, 'five dead letters');
      const listed = async (page?: DeadLetterPage) =>
        (await bus.deadLetters.list(page)).map((deadLetter) => 'id' in deadLetter.event && deadLetter.event.id);
      expect(await listed({ limit: 2 })).toEqual(idsOf(events.slice(0, 2)));
      expect(await listed({ after: 2, limit: 2 })).toEqual(idsOf(events.slice(2, 4)));
      expect(await listed({ after: 5 })).toEqual([]);
      expect(await listed({ after: 1, match: ({ position }) => position % 2 === 0 })).toEqual(
        idsOf([events[1], events[3]].filter((each) => each !== undefined)),
      );
      expect((await bus.deadLetters.list()).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
      expect(await listed()).toEqual(idsOf(events));
      expect(await listed()).toEqual(idsOf(events));

      const wanted = idsOf(events.slice(1, 3));
      for (const id of wanted) healed.add(id);
      expect(await bus.deadLetters.replay(({ event: dead }) => 'id' in dead && healed.has(dead.id))).toBe(2);
      await eventually(() => done.length === 2, 'the replayed events');
      expect(idsOf(done)).toEqual(wanted);
      expect(attempts).toEqual([1, 1]);

      expect(await bus.deadLetters.drop(({ event: dead }) => 'id' in dead && dead.id === events[0]?.id)).toBe(1);
      expect(await listed()).toEqual(idsOf(events.slice(3)));
      expect(await bus.deadLetters.replay(() => false)).toBe(0);
      expect(await bus.deadLetters.count()).toBe(2);
    });

    test('handles the events of one subject in order, and those of others at the same time', async () => {
      const bus = await connect();
      const received: Event[] = [];
      const subjects = [newId('user'), newId('user'), newId('user')];
      const begun = new Set<string>();
      await bus.subscribe({
        ...statistics,
        async handle(each) {
          begun.add(each.subject);
          // The first of each waits for those of the others: without order the second ones overtake it.
          if (each.sequence === 1) await eventually(() => begun.size === subjects.length, 'all subjects to be begun');
          received.push(each);
          return 'done';
        },
      });
      const events = subjects.flatMap((subject) =>
        [1, 2, 3, 4, 5].map((sequence) => event(stockChanged, { subject, sequence })),
      );
      await bus.publish(events);
      await eventually(() => received.length === events.length, 'all of them');
      for (const subject of subjects) {
        const sequences = received.filter((each) => each.subject === subject).map(({ sequence }) => sequence);
        expect(sequences).toEqual([1, 2, 3, 4, 5]);
      }
    });

    test('broadcasts to every instance from when it is bound', async () => {
      const [one, other] = [await connect(), await connect()];
      const received: [Event[], Event[]] = [[], []];
      let bound = 0;
      for (const [index, bus] of [one, other].entries()) {
        await bus.broadcast({
          name: 'revocations',
          types: [revoked],
          handle: (each) => received[index]?.push(each),
          onBound: () => bound++,
        });
      }
      expect(bound).toBe(2);
      const events = [event(revoked), event(revoked)];
      await one.publish([...events, event(registered)], { transient: true });
      await eventually(() => received.flat().length === 4, 'both events at both');
      expect(received).toEqual([events, events]);
    });

    test('ends a try that takes too long and aborts its signal', async () => {
      const bus = await connect({ handlerTimeoutMs: 50, retryDelaysMs: [] });
      let aborted = false;
      const released = Promise.withResolvers<void>();
      await bus.subscribe({
        ...welcome,
        async handle(_event, { signal }) {
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          aborted = true;
          return 'done';
        },
      });
      await bus.subscribe({
        ...statistics,
        async handle(_event, { signal }) {
          signal.addEventListener('abort', () => (aborted = true));
          await released.promise;
          return 'done';
        },
      });
      await bus.publish([event(registered)]);
      await eventually(async () => (await bus.deadLetters.count()) === 2, 'the dead letters');
      for (const { reason } of await bus.deadLetters.list()) {
        expect(reason).toBe('the handler did not finish within 50 ms');
      }
      expect(aborted).toBe(true);
      released.resolve();
    });

    test('a handler runs with the cause of its event', async () => {
      const bus = await connect();
      const causes: unknown[] = [];
      await bus.subscribe({
        ...welcome,
        async handle() {
          await wait(1);
          causes.push(currentCause()?.correlationid);
          return 'done';
        },
      });
      await bus.publish([event(registered, { sequence: 1 }), event(registered, { sequence: 2 })]);
      await eventually(() => causes.length === 2, 'both');
      expect(new Set(causes)).toEqual(new Set(['request-1', 'request-2']));
      expect(currentCause()).toBeUndefined();
    });

    test('poison does not block: 10 in 1,000 become one dead letter each and the others are done', async () => {
      const bus = await connect({ retryDelaysMs: [20] });
      const done = new Set<string>();
      const poison = new Set<string>();
      await bus.subscribe({
        ...welcome,
        async handle({ id }) {
          if (poison.has(id)) throw new Error('poison');
          done.add(id);
          return 'done';
        },
      });
      const events = Array.from({ length: 1_000 }, () => event(registered));
      for (let index = 50; index < 1_000; index += 100) poison.add(events[index]?.id ?? '');
      expect((await bus.publish(events)).every(({ confirmed }) => confirmed)).toBe(true);
      await eventually(async () => done.size === 990 && (await bus.deadLetters.count()) === 10, 'all of them');
      const dead = (await bus.deadLetters.list()).map((deadLetter) => 'id' in deadLetter.event && deadLetter.event.id);
      expect(new Set(dead)).toEqual(poison);
    });

    test('close waits for handlers, leaves what was not begun, and can be called twice', async () => {
      const bus = await connect();
      const other = await connect();
      const begun: Event[] = [];
      let finished = 0;
      const released = Promise.withResolvers<void>();
      await bus.subscribe({
        ...welcome,
        async handle(each) {
          begun.push(each);
          await released.promise;
          await wait(100);
          finished++;
          return 'done';
        },
      });
      // The others are delivered as well and stand behind the first, which has the same subject.
      const subject = newId('user');
      const events = Array.from({ length: 3 }, () => event(registered, { subject }));
      await bus.publish(events);
      await eventually(() => begun.length === 1, 'the first handler');
      const closed = Promise.all([bus.close(), bus.close()]);
      released.resolve();
      await closed;
      await bus.close();
      expect(finished).toBe(1);
      expect(bus.health()).toMatchObject({ connected: false, canPublish: false });
      expect(await bus.publish([event(registered)])).toMatchObject([{ confirmed: false }]);
      await expect(bus.subscribe({ ...welcome, handle: collectInto([]) })).rejects.toMatchObject({
        code: 'messaging_closed',
      });

      const others: Event[] = [];
      await other.subscribe({ ...welcome, handle: collectInto(others) });
      await eventually(() => others.length === 2, 'the others, at another instance');
      expect(idsOf(others)).toEqual(idsOf(events.slice(1)));
    });

    test('reports its health', async () => {
      const bus = await connect();
      await bus.subscribe({ ...welcome, handle: collectInto([]) });
      expect(bus.health()).toMatchObject({
        connected: true,
        canPublish: true,
        queues: [{ queue: welcome.queue, consuming: true }],
      });
    });
  });
}

export function collectInto(into: Event[]): Handler {
  return async (each) => {
    into.push(each);
    return 'done';
  };
}

export function idsOf(events: readonly Event[]): string[] {
  return events.map(({ id }) => id);
}
