import { randomUUID } from 'node:crypto';
import { eventually, freshDatabase, startProxy } from '@storefront/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase, openLease, type Database, type Lease } from '../src/index.ts';
import { runHolder } from './programs/run-holder.ts';

const logger = pino({ level: 'silent' });
const [leaseMs, beatMs] = [4000, 300];
const place = freshDatabase('leases');
let database: Database;
let opened: AsyncDisposableStack;
const instances = () => database.getClient().db(database.name).collection<any>('instances');
const stored = async (id: string) => (await instances().countDocuments({ _id: id })) === 1;

beforeAll(async () => {
  database = await openDatabase(place.url, logger);
});
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(async () => {
  vi.useRealTimers();
  await opened.disposeAsync();
  await instances().deleteMany({});
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

async function open(url?: string, ms = leaseMs): Promise<Lease> {
  let own = database;
  if (url !== undefined) {
    own = await openDatabase(`${url}${url.includes('?') ? '&' : '?'}directConnection=true`, logger);
    opened.defer(() => own.close());
  }
  const lease = await openLease({ database: own, logger, leaseMs: ms, beatMs });
  opened.defer(() => lease.close());
  return lease;
}

/** Another instance, in a process of its own. */
async function another() {
  const other = await runHolder({ url: place.url, leaseMs, beatMs, key: randomUUID() });
  opened.defer(() => void other.child.kill('SIGKILL'));
  return { ...other, id: other.reports[0]?.first ?? '' };
}

describe('a lease', () => {
  it('is held, by its own id only, as long as the instance beats', async () => {
    const [one, two] = [await open(), await open()];
    const { holder } = one;
    await eventually(async () => (await instances().findOne({ _id: holder }))?.beat > 20, 'twenty beats');
    expect(one.holder).toBe(holder);
    expect(one.isHeld(holder)).toBe(true);
    expect(two.isHeld(holder)).toBe(false);
    for (const each of [one, two]) {
      expect(await each.hasEnded(one.holder)).toBe(false);
      expect(await each.hasEnded(two.holder)).toBe(false);
      expect(await each.hasEnded(randomUUID())).toBe(true);
    }
  });

  it('is free at once where its instance closes', async () => {
    const [one, two] = [await open(), await open()];
    const { holder } = one;
    await one.close();
    expect(one.isHeld(holder)).toBe(false);
    expect(await stored(holder)).toBe(false);
    await eventually(() => two.hasEnded(holder), 'the other instance to see it');
  });

  it('of an instance that was killed ends, also where its successor is alone', async () => {
    const killed = await another();
    killed.child.kill('SIGKILL');
    const successor = await open();
    expect(await successor.hasEnded(killed.id)).toBe(false);
    await eventually(() => successor.hasEnded(killed.id), 'the lease of the killed one to end', 60_000);
    expect(await stored(successor.holder)).toBe(true);
  });

  it('of an instance that is halted ends; once it goes on it holds nothing of before', async () => {
    const watchers = [await open(), await open()];
    const halted = await another();
    halted.child.kill('SIGSTOP');
    for (const each of watchers)
      await eventually(() => each.hasEnded(halted.id), 'the lease of the halted one to end', 60_000);
    const before = halted.reports.length;
    halted.child.kill('SIGCONT');
    await eventually(
      () => halted.reports.slice(before).some(({ holder }) => holder !== halted.id),
      'it to begin a new lease',
    );
    // The first report may have been on its way before the halt.
    expect(halted.reports.slice(before + 1).filter(({ isHeld }) => isHeld)).toEqual([]);
    expect(await stored(halted.reports.at(-1)?.holder ?? '')).toBe(true);
    expect(await stored(halted.id)).toBe(false);
  });

  it('does not depend on the clocks of machines, and gives the time of the database', async () => {
    const [one, two] = [await open(), await open()];
    const { holder } = one;
    const real = Date.now();
    for (const aheadMs of [16_000, -16_000, 86_400_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: real + aheadMs });
      const { beat } = await instances().findOne({ _id: holder });
      await eventually(async () => (await instances().findOne({ _id: holder })).beat > beat + 3, 'more beats');
      expect(one.isHeld(holder)).toBe(true);
      expect(await two.hasEnded(holder)).toBe(false);
      expect(Math.abs(one.now().getTime() - real)).toBeLessThan(60_000);
    }
  });

  it('that is not held for certain is not, long before others can take it: the database is away for one', async () => {
    const proxy = await startProxy(place.url);
    opened.defer(() => proxy.close());
    const [cutOff, watcher] = [await open(proxy.url), await open()];
    const { holder } = cutOff;
    proxy.refuse();
    proxy.cut();
    const order: string[] = [];
    await eventually(async () => {
      if (order.length === 0 && !cutOff.isHeld(holder)) order.push('not held');
      if (await watcher.hasEnded(holder)) order.push('ended');
      return order.includes('ended');
    }, 'the lease to end');
    expect(order).toEqual(['not held', 'ended']);
    proxy.accept();
    await eventually(() => cutOff.holder !== holder && cutOff.isHeld(cutOff.holder), 'a new lease', 60_000);
    expect(cutOff.isHeld(holder)).toBe(false);
  });

  it('outlasts a database that is away for everybody for longer than the lease, and nobody takes it', async () => {
    const proxies = [await startProxy(place.url), await startProxy(place.url)] as const;
    for (const proxy of proxies) opened.defer(() => proxy.close());
    const longLeaseMs = 10_000;
    const [one, two] = [await open(proxies[0].url, longLeaseMs), await open(proxies[1].url, longLeaseMs)];
    const holders = [one.holder, two.holder] as const;
    const beatOf = async (id: string): Promise<number> => (await instances().findOne({ _id: id })).beat;
    const beatsOn = async (id: string) => {
      const beat = await beatOf(id);
      await eventually(async () => (await beatOf(id)) > beat + 2, 'more beats');
    };
    proxies[0].refuse();
    proxies[0].cut();
    // An instance looks at the others as often as it beats: by then it has seen the last beat of the other.
    await beatsOn(holders[1]);
    proxies[1].refuse();
    proxies[1].cut();
    await eventually(() => !one.isHeld(holders[0]) && !two.isHeld(holders[1]), 'both to be unsure', 60_000);
    const unsureSince = performance.now();
    await eventually(() => performance.now() - unsureSince > longLeaseMs, 'the lease time to pass');
    // The first one that is back sees an old beat, and has to give the other the time to come back.
    proxies[1].accept();
    await eventually(() => two.isHeld(holders[1]), 'one of them to beat again', 60_000);
    await beatsOn(holders[1]);
    proxies[0].accept();
    await eventually(() => one.isHeld(one.holder), 'the other to beat again', 60_000);
    expect([one.holder, two.holder]).toEqual(holders);
    expect(await two.hasEnded(holders[0])).toBe(false);
  });
});
