import { collectionOf } from '@storefront/mongo';
import type { Database, JobHolders } from '@storefront/mongo';
import { countsOf, setsOf } from '../../facts/domain/effects.ts';
import { monthsAfter } from '../../facts/domain/retention.ts';
import { facts as factsDefinition } from '../../facts/store/facts.ts';
import { storedMarks } from '../domain/acts.ts';
import { collectCells } from '../domain/cells.ts';
import type { DayCell } from '../domain/cells.ts';
import { countsOfMarks } from '../domain/count-marks.ts';
import type { DayRange, Kept } from '../domain/rebuild-range.ts';
import { collectPeople, unitsOfDay } from '../domain/set-units.ts';
import type { PeopleAddition } from '../domain/set-units.ts';
import type { DayIndex, ShopDays } from '../domain/shop-days.ts';
import { rollUpState } from './collections.ts';
import { toFact } from './count-batch.ts';
import { openCellRebuild } from './rebuild-cells.ts';
import { openPeopleRebuild } from './rebuild-people.ts';

/** A rebuild that was begun and is not at its end. */
interface BegunRebuild extends DayRange {
  readonly asked: Partial<DayRange>;
  readonly next: DayIndex;
}

/** Makes the sums and sets of days again. */
export interface RebuildingDays {
  kept(): Promise<Kept>;
  /**
   * Makes the sums and sets of the day those of its facts that are counted, and changes those of the spans with it. Done again it
   * changes nothing. Throws a `JobLostError` where another instance counts facts.
   */
  rebuild(day: DayIndex): Promise<void>;
  begun(): Promise<BegunRebuild | null>;
  note(rebuild: BegunRebuild): Promise<void>;
  finish(): Promise<void>;
}

const id = 'rebuild';

export function openRebuildingDays(needs: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
  readonly shopDays: ShopDays;
  /** How long facts are kept. */
  readonly factMonths: number;
  readonly now: () => Date;
}): RebuildingDays {
  const { database, shopDays, factMonths, now } = needs;
  const facts = collectionOf(database, factsDefinition);
  const state = collectionOf(database, rollUpState);
  const cells = openCellRebuild(needs);
  const people = openPeopleRebuild(needs);

  /** What the facts of the day come to. A fact that is not counted yet can have marks that are. */
  async function sumsOf(day: DayIndex): Promise<{ cells: readonly DayCell[]; people: readonly PeopleAddition[] }> {
    const [sums, sets] = [collectCells(), collectPeople(unitsOfDay)];
    const at = { $gte: shopDays.startOf(day), $lt: shopDays.startOf(day + 1) };
    for await (const document of facts.find({ at }, { hint: 'at_1' })) {
      const quarter = shopDays.quarterOf(document.at);
      const fact = toFact(document);
      const marks = countsOfMarks(document, storedMarks(document));
      const counted = document.pending
        ? marks
        : { counts: [...countsOf(fact), ...marks.counts], sets: [...setsOf(fact), ...marks.sets] };
      sums.add(quarter, fact.segment, counted.counts);
      if (fact.person !== null) sets.add(quarter, fact.segment, counted.sets, fact.person);
    }
    return { cells: sums.cells(), people: sets.additions() };
  }

  return {
    async kept() {
      const [first] = await facts.find().sort({ at: 1 }).limit(1).toArray();
      const [last] = await facts.find().sort({ at: -1 }).limit(1).toArray();
      const lastDays = [last ? shopDays.dayOf(last.at) : null, await cells.lastDay()].filter((day) => day !== null);
      return {
        firstFact: first ? { day: shopDays.dayOf(first.at), keptUntil: first.keptUntil } : null,
        keptSince: shopDays.dayOf(monthsAfter(now(), -factMonths)),
        lastDay: lastDays.length > 0 ? Math.max(...lastDays) : null,
      };
    },

    async rebuild(day) {
      const made = await sumsOf(day);
      await cells.replace(day, made.cells);
      await people.replace(day, made.people);
    },

    async begun() {
      const found = await state.findOne({ _id: id });
      if (found?.from === undefined || found.to === undefined || found.next === undefined) return null;
      const { from, to, next, askedFrom, askedTo } = found;
      const asked = {
        ...(askedFrom !== undefined && { from: askedFrom }),
        ...(askedTo !== undefined && { to: askedTo }),
      };
      return { asked, from, to, next };
    },

    async note({ asked, from, to, next }) {
      const limits = {
        ...(asked.from !== undefined && { askedFrom: asked.from }),
        ...(asked.to !== undefined && { askedTo: asked.to }),
      };
      await state.replaceOne({ _id: id }, { from, to, next, ...limits }, { upsert: true });
    },

    async finish() {
      await state.deleteOne({ _id: id });
    },
  };
}
