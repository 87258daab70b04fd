import { calendarOf } from '@storefront/calendar';
import {
  checkStoredDocuments,
  collectionOf,
  jobHolders as jobHolderDocuments,
  openCollections,
  openDatabase,
  openJobHolders,
  type Database,
} from '@storefront/mongo';
import { freshDatabase, memoryLogger } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { families, type Family, type PeopleFamily } from '../src/analytics/domain/facts/count.ts';
import { segments } from '../src/analytics/domain/facts/fact.ts';
import { facts as factsDefinition, type FactDocument } from '../src/analytics/store/facts.ts';
import { rebuildReports } from '../src/analytics/commands/rebuild.ts';
import { totalOf } from '../src/analytics/domain/roll-ups/cells.ts';
import type { Interval } from '../src/analytics/domain/roll-ups/roll-ups.ts';
import type { RollUps } from '../src/analytics/store/roll-ups/reads.ts';
import { dateOf, dayIndexOf, shopDaysOf } from '../src/analytics/domain/roll-ups/shop-days.ts';
import {
  cellId,
  rollUpCells,
  rollUpCollections,
  rollUpSets,
  rollUpSizes,
  rollUpValues,
} from '../src/analytics/store/roll-ups/collections.ts';
import { openTextErasure } from '../src/analytics/store/roll-ups/erase-texts.ts';
import { openFactCounting } from '../src/analytics/store/roll-ups/count-batch.ts';
import { openRebuildingDays } from '../src/analytics/store/roll-ups/rebuild-days.ts';
import { openRollUps } from '../src/analytics/store/roll-ups/roll-ups.ts';
import { openRollUpState } from '../src/analytics/store/roll-ups/state.ts';
import { countedOf, someFacts } from './counted-facts.ts';
import { naiveRollUps } from './naive-roll-ups.ts';

const definitions = [factsDefinition, ...rollUpCollections, jobHolderDocuments];
const now = () => new Date('2026-06-21T12:00:00Z');
const texts = { people: 5, perDay: 1000, months: 25 };
let place: ReturnType<typeof freshDatabase>;
let database: Database;

beforeEach(async () => {
  place = freshDatabase('roll_ups');
  database = await openDatabase(place.url, memoryLogger().logger);
  await openCollections(database, definitions);
});
afterEach(async () => {
  const findings = await checkStoredDocuments(database, definitions);
  await database.close();
  await place.drop();
  if (findings.length > 0) throw new Error(findings.join('\n'));
});

/** What one instance opens, with the lease of a holder that never ends. */
async function open(holder = 'one', zone = 'Europe/Berlin') {
  const jobHolders = openJobHolders({ database, lease: { holder, isHeld: () => true, hasEnded: async () => false } });
  const state = await openRollUpState({ database, now }, zone);
  const shopDays = shopDaysOf(calendarOf(state.zone));
  const counting = openFactCounting({ database, jobHolders, shopDays, texts, now });
  return { jobHolders, state, counting, shopDays, rollUps: openRollUps({ database, shopDays, state }) };
}

async function store(documents: readonly FactDocument[]): Promise<void> {
  await collectionOf(database, factsDefinition).insertMany([...documents]);
}

async function countAll({ counting }: Pick<Awaited<ReturnType<typeof open>>, 'counting'>, limit: number) {
  while (((await counting.countBatch(limit)) ?? 0) > 0);
}

const at = (...moments: readonly string[]): Interval[] =>
  moments.slice(1).map((end, index) => ({ start: new Date(moments[index] ?? ''), end: new Date(end) }));
// Hours of the night in which clocks are changed, days of other zones, odd weeks, months; days of the zone, and four that are summed
// up together; and all of the days on which anything happens.
const allIntervals: readonly Interval[] = [
  ...at('2026-03-28T23:00Z', '2026-03-29T00:00Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z', '2026-03-29T22:00Z'),
  ...at('2026-03-22T18:30Z', '2026-03-23T18:30Z', '2026-03-24T18:30Z', '2026-03-31T18:30Z', '2026-05-31T18:30Z'),
  ...at('2026-04-01T04:00Z', '2026-04-02T04:00Z', '2026-04-02T05:45Z', '2026-04-02T06:00Z'),
  ...at('2026-02-28T23:00Z', '2026-03-31T22:00Z', '2026-04-30T22:00Z', '2027-04-30T22:00Z'),
  ...at('2026-03-31T22:00Z', '2026-04-01T22:00Z', '2026-04-02T22:00Z', '2026-04-03T22:00Z'),
  ...at('2026-04-04T22:00Z', '2026-04-08T22:00Z'),
  ...at('2026-02-28T23:00Z', '2026-07-31T22:00Z'),
];
const peopleFamilies: readonly PeopleFamily[] = [
  'active',
  'viewers',
  'reached:wishlisted:1',
  'reached:checkout:7',
  'reached:ordered:30',
  'carted',
  'reached:checkedOut:1',
  'reached:arrived:30',
  'campaignCustomers',
];
const peopleOf = ['', 'camp_1', 'camp_9'];
const things: Readonly<Partial<Record<Family, readonly string[]>>> = {
  sales: ['EUR', 'USD'],
  orders: ['EUR'],
  productSales: ['prod_1 EUR'],
  productInterest: ['prod_1', 'prod_9'],
  variantSales: ['prod_1 var_1 EUR', 'prod_1 none EUR'],
  variantInterest: ['prod_1 var_2'],
  campaigns: ['EUR', 'camp_1 EUR'],
  notifications: ['', 'IN_APP offers'],
  searches: ['', 'green tea', 'pot', 'other'],
  receivables: ['EUR', 'USD'],
};

// The last of them has all of the days.
const someIntervals: readonly Interval[] = allIntervals.filter(
  (_, index) => (allIntervals.length - 1 - index) % 10 === 0,
);

/** Every answer of the roll-ups about the intervals, without sums of 0. */
async function answers(rollUps: RollUps, intervals: readonly Interval[] = someIntervals) {
  const moments = intervals.map(({ end }) => end);
  const found: Record<string, unknown> = {};
  for (const family of Object.keys(families) as Family[]) {
    const { [family]: thingsOfFamily = [''] } = things;
    for (const of of thingsOfFamily) {
      found[`${family} ${of}`] = (await rollUps.sums({ family, of }, intervals)).map((sums) => totalOf([sums]));
      const before = await Promise.all(moments.map((moment) => rollUps.sumsBefore({ family, of }, moment)));
      found[`before ${family} ${of}`] = before.map((sums) => totalOf([sums]));
    }
    for (const requested of [segments, ['retail'] as const]) {
      const wanted = thingsOfFamily.map((of) => ({ family, of, segments: requested }));
      const together = wanted.map((each) =>
        Promise.all(intervals.map((interval) => rollUps.medianTogether(each, interval))),
      );
      found[`medians ${family} ${requested.join()}`] = {
        medians: (await rollUps.medians(wanted, intervals)).map((row) =>
          row.map((each) => requested.map((segment) => each[segment] ?? null)),
        ),
        together: await Promise.all(together),
      };
    }
    for (const [index, interval] of intervals.entries()) {
      const ofThings = await rollUps.sumsOfThings(family, interval);
      const sumsOf = [...ofThings].map(([of, sums]) => [of, totalOf([sums])] as const);
      found[`${family} ${index}`] = Object.fromEntries(sumsOf.filter(([, sums]) => Object.keys(sums).length > 0));
    }
  }
  for (const set of peopleFamilies)
    for (const requested of [segments, ['trade', 'guest'] as const]) {
      const wanted = peopleOf.map((of) => ({ set, of, segments: requested }));
      const sizes = await rollUps.people(wanted, intervals);
      const together = wanted.map((each) =>
        Promise.all(intervals.map((interval) => rollUps.peopleTogether(each, interval))),
      );
      found[`${set} ${requested.join()}`] = {
        sizes: sizes.map((row) => row.map((each) => requested.map((segment) => each[segment] ?? 0))),
        together: await Promise.all(together),
      };
    }
  return found;
}

describe('roll-ups', () => {
  it('are what facts come to, in batches and in any order, of any interval', async () => {
    const documents = someFacts(450);
    const expected = await answers(naiveRollUps(countedOf(documents)), allIntervals);
    const one = await open();
    expect(await one.jobHolders.take(one.counting.job)).toBe(true);
    const parts = documents.map((each, index) => ({ ...each, publishedAt: new Date((index * 7919) % 450) }));
    await store(parts.slice(0, 250));
    await countAll(one, 90);
    await store(parts.slice(250));
    await countAll(one, 2000);

    expect(await answers(one.rollUps, allIntervals)).toEqual(expected);
    expect(await collectionOf(database, factsDefinition).countDocuments({ pending: true })).toBe(0);
  });

  it('have no error of floating point', async () => {
    const { rollUps, shopDays } = await open();
    const wanted = { family: 'productSales', of: 'prod_1 EUR' } as const;
    const [day] = at('2026-03-31T22:00Z', '2026-04-01T22:00Z') as [Interval];
    const _id = cellId(wanted, { days: 1, index: shopDays.dayOf(day.start) });
    await collectionOf(database, rollUpCells).insertOne({ _id, retail: { units: 0.1 + 0.2, revenue: 7 } });
    expect(await rollUps.sums(wanted, [day])).toEqual([{ retail: { units: 0.3, revenue: 7 } }]);
  });

  it('keep the zone in which they were begun', async () => {
    expect((await open('one', 'Asia/Kolkata')).state.zone).toBe('Asia/Kolkata');
    expect((await open('two', 'Europe/Berlin')).state.zone).toBe('Asia/Kolkata');
  });

  it('say how new they are: up to what was noteHeartbeat, and not past what is not counted yet', async () => {
    const one = await open();
    await one.jobHolders.take(one.counting.job);
    expect(await one.rollUps.asOf()).toEqual(now());
    await one.state.noteHeartbeat(new Date('2026-06-21T13:00:00Z'));
    await one.state.noteHeartbeat(new Date('2026-06-21T12:30:00Z'));
    expect(await one.rollUps.asOf()).toEqual(new Date('2026-06-21T13:00:00Z'));
    const [first] = someFacts(1);
    await store(first ? [{ ...first, publishedAt: new Date('2026-06-21T12:40:00Z') }] : []);
    expect(await one.rollUps.asOf()).toEqual(new Date('2026-06-21T12:40:00Z'));
    await countAll(one, 10);
    expect(await one.rollUps.asOf()).toEqual(new Date('2026-06-21T13:00:00Z'));
  });
});

describe('the customers of a campaign of all time', () => {
  const [firstDay, lastDay] = ['2026-04-03', '2026-04-20'] as const;
  const whole = at('2026-04-02T22:00Z', '2026-04-20T22:00Z');
  const wanted = { set: 'campaignCustomers', of: 'camp_1', segments } as const;

  /** One who came on both days, as two segments, and one who came in between. */
  async function counted() {
    const one = await open();
    await one.jobHolders.take(one.counting.job);
    const [model] = someFacts(1);
    const data = { currency: 'EUR', total: 100, campaigns: [{ campaignId: 'camp_1', amount: 5 }] };
    const redeemed = (day: string, person: number, segment: FactDocument['segment']): FactDocument =>
      ({
        ...model,
        _id: `${day}-${person}`,
        kind: 'discount-redeemed',
        at: new Date(`${day}T10:00Z`),
        person,
        segment,
        data,
      }) as FactDocument;
    await store([redeemed(lastDay, 7, 'retail')]);
    await countAll(one, 10);
    await store([redeemed(firstDay, 7, 'trade'), redeemed('2026-04-12', 1_048_577, 'retail')]);
    await countAll(one, 10);
    return one;
  }
  const sizesIn = async (rollUps: RollUps, interval: readonly Interval[]) =>
    (await rollUps.people([wanted], interval))[0]?.[0] ?? {};

  it('are read of an interval that has all of their days, instead of its spans', async () => {
    const { rollUps } = await counted();
    await collectionOf(database, rollUpSets).deleteMany({ _id: { $not: /^\S+ \S* all / } });
    expect(await sizesIn(rollUps, whole)).toEqual({ trade: 1, retail: 2 });
    expect(await Promise.all(whole.map((interval) => rollUps.peopleTogether(wanted, interval)))).toEqual([2]);
  });

  it('are not of an interval that lacks a part of their first or last day, or for some of the segments together', async () => {
    const { rollUps } = await counted();
    const fromLater = at('2026-04-03T10:15Z', '2026-04-20T22:00Z');
    expect(await sizesIn(rollUps, fromLater)).toEqual({ guest: 0, trade: 0, retail: 2 });
    const untilEarlier = at('2026-04-02T22:00Z', '2026-04-20T10:00Z');
    expect(await sizesIn(rollUps, untilEarlier)).toEqual({ guest: 0, trade: 1, retail: 1 });
    const [interval] = whole as [Interval];
    expect(await rollUps.peopleTogether({ ...wanted, segments: ['retail', 'guest'] }, interval)).toBe(2);
    expect(await rollUps.peopleTogether({ ...wanted, segments: ['trade'] }, interval)).toBe(1);
  });
});

describe('the counting of facts', () => {
  it('counts all of a batch or nothing of it', async () => {
    const one = await open();
    await one.jobHolders.take(one.counting.job);
    const documents = someFacts(60);
    await store(documents);
    // The first write of people in this batch is refused by the database, after the cells are written.
    const driver = database.getClient().db(database.name);
    await driver.command({ collMod: rollUpSets.name, validator: { never: true } });
    await expect(one.counting.countBatch(100)).rejects.toThrow('failed validation');
    expect(await collectionOf(database, rollUpCells).countDocuments()).toBe(0);
    expect(await collectionOf(database, factsDefinition).countDocuments({ pending: true })).toBe(60);
    expect(await collectionOf(database, factsDefinition).countDocuments({ flags: { $exists: true } })).toBe(0);
    await driver.command({ collMod: rollUpSets.name, validator: {} });
    await countAll(one, 7);
    expect(await answers(one.rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
  });

  it('is done by one instance, and once by two that both believe to be the one', async () => {
    const [one, two] = [await open('one'), await open('two')];
    const documents = someFacts(200);
    await store(documents);
    expect(await one.jobHolders.take(one.counting.job)).toBe(true);
    expect(await two.jobHolders.take(two.counting.job)).toBe(false);
    expect(await two.counting.countBatch(10)).toBe(null);

    const first = countAll(one, 20);
    await one.counting.countBatch(20);
    await two.jobHolders.seize(two.counting.job);
    await Promise.all([first, countAll(two, 20), countAll(one, 20)]);
    expect(await one.counting.countBatch(10)).not.toBe(10);
    expect(await answers(two.rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
  });
});

describe('the erasure of texts', () => {
  it('shows no text by searches that are not counted yet, so that those counted before are shown with them', async () => {
    const one = await open();
    await one.jobHolders.take(one.counting.job);
    const [model] = someFacts(1);
    const searchOf = (person: number): FactDocument =>
      ({
        ...model,
        _id: `search-${person}`,
        kind: 'search-performed',
        person,
        data: { words: 'pot', results: 1 },
      }) as FactDocument;
    const [leaver, ...others] = [1, 2, 3, 4, 5, 6].map(searchOf);
    await store([leaver as FactDocument, ...others.slice(0, 3)]);
    await countAll(one, 10);
    await store(others.slice(3));
    await openTextErasure({ database, shopDays: one.shopDays }, texts)(1);
    await countAll(one, 10);
    const nameless = { ...leaver, data: { words: null, results: 1 } } as FactDocument;
    expect(await answers(one.rollUps)).toEqual(await answers(naiveRollUps(countedOf([nameless, ...others]))));
  });
});

describe('a rebuild', () => {
  /** An instance that has counted facts, and what makes its sums again. */
  async function counted(documents: readonly FactDocument[], later = now) {
    const one = await open();
    await one.jobHolders.take(one.counting.job);
    await store(documents);
    await countAll(one, 2000);
    const rebuilding = openRebuildingDays({ ...one, database, factMonths: 25, now: later });
    async function run(
      dates: { from?: string; to?: string } = {},
      signal = new AbortController().signal,
      onProgress: () => void = () => undefined,
    ) {
      const made = await rebuildReports({ ...one, rebuilding, now: later }, { ...dates, onProgress, signal });
      if (!made) throw new Error('there was no day to make again');
      return made;
    }
    return { ...one, run };
  }
  /** Without what is owed: it grows older until July, and each of those days would be made again. */
  const briefFacts = (...options: Parameters<typeof someFacts>) =>
    someFacts(...options).filter(({ kind }) => kind !== 'invoice-balance-changed');
  const contents = async () =>
    Promise.all(
      rollUpCollections
        .filter(({ name }) => name !== 'roll_up_state')
        .map(({ name }) => collectionOf(database, name).find().sort({ _id: 1 }).toArray()),
    );

  it('changes nothing where nothing is wrong', async () => {
    const { run } = await counted(someFacts(150, { days: 12 }));
    const before = await contents();
    const { first, last, days, done } = await run();
    // The facts are of 13 days; what is due on April 1 grows older until July 1.
    expect([last, days, done]).toEqual(['2026-07-01', dayIndexOf('2026-07-01')! - dayIndexOf(first)! + 1, days]);
    expect(await contents()).toEqual(before);
  });

  it('makes all of it again from the facts alone, and counts new ones meanwhile', async () => {
    const documents = someFacts(300, { days: 25 });
    const { run, rollUps } = await counted(documents.slice(0, 200));
    await collectionOf(database, rollUpCells).drop();
    await collectionOf(database, rollUpValues).drop();
    await collectionOf(database, rollUpSets).drop();
    let hasComeIn = false;
    const storing: Promise<void>[] = [];
    await run({}, undefined, () => {
      if (!hasComeIn) storing.push(store(documents.slice(200)));
      hasComeIn = true;
    });
    await Promise.all(storing);
    await run();
    expect(await answers(rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
  });

  it('mends what is wrong, broken off and taken up again', async () => {
    const documents = briefFacts(200, { days: 20 });
    const strangers = briefFacts(40, { days: 20, seed: 2 }).map((each) => ({ ...each, person: 500_000 }));
    const { run, rollUps, counting } = await counted([...documents, ...strangers]);
    const facts = collectionOf(database, factsDefinition);
    await facts.deleteMany({ person: 500_000 });
    await facts.updateMany({ _id: { $in: documents.slice(0, 30).map(({ _id }) => _id) } }, { $set: { pending: true } });
    await countAll({ counting }, 100);
    const stop = new AbortController();
    const stopped = await run({}, stop.signal, () => stop.abort());
    expect(stopped.done).toBe(1);
    expect(stopped.done).toBeLessThan(stopped.days);
    expect(await run()).toEqual({ ...stopped, done: stopped.days });
    expect(await answers(rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
  });

  it('makes the people of all time anew once all days are, also where they are missing', async () => {
    const documents = briefFacts(200, { days: 20 });
    const { run, rollUps } = await counted(documents);
    const isOfAllTime = { _id: /^\S+ \S* all / };
    const stored = () => collectionOf(database, rollUpSets).find(isOfAllTime).sort({ _id: 1 }).toArray();
    const before = await stored();
    expect(before.length).toBeGreaterThan(0);
    await collectionOf(database, rollUpSets).deleteMany(isOfAllTime);
    await collectionOf(database, rollUpSizes).deleteMany({ together: { $exists: true } });
    expect(await answers(rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
    await run();
    expect(await stored()).toEqual(before);
    expect(await answers(rollUps)).toEqual(await answers(naiveRollUps(countedOf(documents))));
  });

  it('leaves days alone whose facts are gone, and those that were not asked for', async () => {
    const documents = someFacts(60, { days: 10 });
    const [oldest] = documents.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const { run, shopDays } = await counted(documents, () => oldest?.keptUntil ?? now());
    const first = shopDays.dayOf(oldest?.at ?? now());
    expect((await run()).first).toBe(dateOf(first + 2));
    const third = dateOf(first + 3);
    expect(await run({ from: third, to: dateOf(first + 4) })).toMatchObject({ first: third, last: third, days: 1 });
  });
});
