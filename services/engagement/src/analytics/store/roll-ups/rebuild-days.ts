import { collectionOf, type Database, type JobHolders } from '@storefront/mongo';
import { setsOf } from '../../domain/facts/kinds.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import { ages } from '../../domain/facts/kinds/billing.ts';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { countsLater, facts as factsDefinition } from '../facts.ts';
import { storedFlags } from '../../domain/roll-ups/acts.ts';
import { collect, type Collected } from '../../domain/roll-ups/collect.ts';
import { countsOfFlags } from '../../domain/roll-ups/count-flags.ts';
import { momentsOf } from '../../domain/roll-ups/moments.ts';
import type { DayRange, Kept } from '../../domain/roll-ups/rebuild-range.ts';
import { unitsOfDay } from '../../domain/roll-ups/set-units.ts';
import { dateOf, type DayIndex, type ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { rollUpState, textErasures } from './collections.ts';
import { toFact } from './count-batch.ts';
import { lastDayWithSums, openCellRebuild } from './rebuild-cells.ts';
import { openPeopleRebuild } from './rebuild-people.ts';
import { openStoredSums } from './stored-cells.ts';
import { openStoredValues } from './stored-values.ts';

/** A rebuild that was begun and is not finished. */
interface BegunRebuild extends DayRange {
  readonly requested: Partial<DayRange>;
  readonly next: DayIndex;
}

/** Makes the sums and sets of days again from their facts. */
export interface RebuildingDays {
  kept(): Promise<Kept>;
  /**
   * Makes the sums and sets of the day again from its counted facts, and changes the longer spans accordingly.
   * Rebuilding a day again changes nothing. Throws a `JobLostError` where another instance counts facts.
   */
  rebuild(day: DayIndex): Promise<void>;
  begun(): Promise<BegunRebuild | null>;
  note(rebuild: BegunRebuild): Promise<void>;
  /**
   * Makes the sets of all time again, which needs all days. Throws a `JobLostError` where another instance counts
   * facts.
   */
  finish(): Promise<void>;
}

const id = 'rebuild';

export function openRebuildingDays(needs: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
  readonly shopDays: ShopDays;
  /** For how many months facts are kept. */
  readonly factMonths: number;
  readonly now: () => Date;
}): RebuildingDays {
  const { database, shopDays, factMonths, now } = needs;
  const facts = collectionOf(database, factsDefinition);
  const state = collectionOf(database, rollUpState);
  const [sums, values] = [openStoredSums(database, factMonths), openStoredValues(database)];
  const replaceCells = openCellRebuild(needs);
  const people = openPeopleRebuild(needs);

  /**
   * Collects what the facts of the day add. A fact that is not counted itself may already have flags that are counted,
   * so its flags are added anyway.
   */
  async function collectDay(day: DayIndex): Promise<Collected> {
    const collected = collect(unitsOfDay);
    const at = { $gte: shopDays.startOf(day), $lt: shopDays.startOf(day + 1) };
    for await (const document of facts.find({ at }, { hint: 'at_1' })) {
      const [quarter, fact] = [shopDays.quarterOf(document.at), toFact(document)];
      const flags = countsOfFlags(document, storedFlags(document));
      collected.add(quarter, fact.segment, flags.counts);
      collected.addPerson(quarter, fact.segment, flags.sets, fact.person);
      if (document.pending) continue;
      addMoments(collected, fact, day);
      collected.addPerson(quarter, fact.segment, setsOf(fact), fact.person);
    }
    const dueOn = { $in: ages.map(({ days }) => dateOf(day - days)) };
    const older = { kind: countsLater, 'data.dueOn': dueOn, at: { $lt: at.$gte }, pending: { $ne: true } } as const;
    for await (const document of facts.find(older, { hint: 'due' })) addMoments(collected, toFact(document), day);
    return collected;
  }

  function addMoments(collected: Collected, fact: Fact, day: DayIndex): void {
    for (const { at, counts } of momentsOf(fact, shopDays)) if (at.day === day) collected.add(at, fact.segment, counts);
  }

  /** The last day on which a stored fact counts again. */
  async function lastLaterDay(): Promise<DayIndex | null> {
    const [last] = await facts
      .find({ kind: countsLater }, { hint: 'due' })
      .sort({ 'data.dueOn': -1 })
      .limit(1)
      .toArray();
    return last ? Math.max(...momentsOf(toFact(last), shopDays).map(({ at }) => at.day)) : null;
  }

  async function erasures(): Promise<number> {
    return (await state.findOne({ _id: textErasures }))?.erasures ?? 0;
  }

  return {
    async kept() {
      // Facts of the kind `countsLater` are kept longer than other facts of the same day, so they do not show which
      // days are complete.
      const [first] = await facts
        .find({ kind: { $ne: countsLater } })
        .sort({ at: 1 })
        .limit(1)
        .toArray();
      const [last] = await facts.find().sort({ at: -1 }).limit(1).toArray();
      const found = [last ? shopDays.dayOf(last.at) : null, await lastLaterDay(), await lastDayWithSums(database)];
      const lastDays = found.filter((day) => day !== null);
      return {
        firstFact: first ? { day: shopDays.dayOf(first.at), keptUntil: first.keptUntil } : null,
        keptSince: shopDays.dayOf(monthsAfter(now(), -factMonths)),
        lastDay: lastDays.length > 0 ? Math.max(...lastDays) : null,
      };
    },

    async rebuild(day) {
      for (;;) {
        const before = await erasures();
        const made = await collectDay(day);
        await replaceCells(sums, day, made.sums());
        await replaceCells(values, day, made.values());
        await people.replace(day, made.people());
        // An erasure in the meantime subtracts texts that `collectDay` may have read before. Then the day is made
        // again.
        if ((await erasures()) === before) return;
      }
    },

    async begun() {
      const found = await state.findOne({ _id: id });
      if (found?.from === undefined || found.to === undefined || found.next === undefined) return null;
      const { from, to, next, askedFrom, askedTo } = found;
      const requested = {
        ...(askedFrom !== undefined && { from: askedFrom }),
        ...(askedTo !== undefined && { to: askedTo }),
      };
      return { requested, from, to, next };
    },

    async note({ requested, from, to, next }) {
      const limits = {
        ...(requested.from !== undefined && { askedFrom: requested.from }),
        ...(requested.to !== undefined && { askedTo: requested.to }),
      };
      await state.replaceOne({ _id: id }, { from, to, next, ...limits }, { upsert: true });
    },

    async finish() {
      await people.finish();
      await state.deleteOne({ _id: id });
    },
  };
}
