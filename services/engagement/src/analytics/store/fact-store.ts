import { collectionOf, insertNew, type ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { Fact, FactDraft } from '../domain/facts/fact.ts';
import { lastMomentOf, type FactKindName } from '../domain/facts/kinds.ts';
import { nameOf, userOf, type Person } from '../domain/facts/person.ts';
import { keptUntilOf } from '../domain/facts/retention.ts';
import { withoutTexts } from '../domain/facts/texts.ts';
import { facts } from './facts.ts';
import type { People } from './people.ts';

/** A fact to store. */
export interface NewFact extends FactDraft {
  readonly id: string;
  readonly kind: FactKindName;
  /** When the event of the fact was published. For an event of a client: when the service received the event. */
  readonly publishedAt: Date;
}

/** Stores facts, exports them and erases texts. Counting the facts is the task of the roll-ups. */
export interface FactStore {
  /**
   * Stores facts in one write; the facts are counted later. Returns for each fact whether it is new, because a fact is
   * stored only once however often its event is delivered. Facts of erased users are stored without a person.
   */
  add(added: readonly NewFact[]): Promise<readonly boolean[]>;
  /** All facts of a person, in parts of a few hundred. Each part is read only when the loop reaches it. */
  of(by: Person): AsyncIterable<readonly Pick<Fact, 'kind' | 'at' | 'data'>[]>;
  /**
   * Erases the texts that a person wrote, and the link from the person to the facts. The facts stay, and so do the
   * sums. Searches of the person are then counted among the texts that are not shown.
   */
  forget(by: Person): Promise<void>;
}

interface Needs {
  readonly people: People;
  readonly erasedUsers: Pick<ErasedUsers, 'among'>;
  /** Erases the texts that the person with this number wrote. */
  readonly eraseTexts: (person: number) => Promise<void>;
  /** For how many months facts are kept. */
  readonly months: number;
}

const readAtOnce = 200;

export function openFactStore(
  { database }: Pick<Resources, 'database'>,
  { people, erasedUsers, eraseTexts, months }: Needs,
): FactStore {
  const collection = collectionOf(database, facts);

  async function erasedOf(some: readonly Person[]): Promise<readonly Person[]> {
    const erased = await erasedUsers.among(some.flatMap((by) => userOf(by) ?? []));
    return some.filter((by) => erased.has(userOf(by) ?? ''));
  }

  /**
   * All numbers under which facts of the person may be stored: the known number, and the numbers with which the facts
   * in `some` were stored, now or earlier.
   */
  async function numbersOf(by: Person, known: ReadonlyMap<string, number>, some: readonly NewFact[] = []) {
    const ids = some.filter((one) => one.by !== null && nameOf(one.by) === nameOf(by)).map(({ id }) => id);
    const stored =
      ids.length === 0 ? [] : await collection.distinct('person', { _id: { $in: ids }, person: { $gt: 0 } });
    return new Set([known.get(nameOf(by)), ...stored].filter((number) => typeof number === 'number'));
  }

  /** The texts are erased before the number, because they can be found only by the number. */
  async function forget(by: Person, numbers: ReadonlySet<number>): Promise<void> {
    for (const number of numbers) await eraseTexts(number);
    await people.forget([by]);
  }

  async function store(added: readonly NewFact[]): Promise<readonly boolean[]> {
    const all = distinct(added);
    const [known, erased] = await Promise.all([people.find(all), erasedOf(all)]);
    const gone = new Set(erased.map(nameOf));
    const isNew = (by: Person) => !known.has(nameOf(by)) && !gone.has(nameOf(by));
    const newcomers = all.filter(isNew);
    const numbers = new Map([...known, ...(await people.add(newcomers))]);
    const documents = added.map((fact) => {
      const { id, kind, at, segment, by, publishedAt } = fact;
      const isGone = by !== null && gone.has(nameOf(by));
      const { data } = isGone ? withoutTexts(fact) : fact;
      return {
        _id: id,
        kind,
        at,
        segment,
        person: by === null || isGone ? null : (numbers.get(nameOf(by)) ?? null),
        data,
        pending: true,
        publishedAt: publishedAt,
        keptUntil: keptUntilOf(
          { at: lastMomentOf({ id, kind, at, segment, person: null, data }), publishedAt },
          months,
        ),
      };
    });
    const stored = await insertNew(collection, documents);
    // Some users may have been erased while the facts were being stored. An earlier call may also have been halted
    // before this line. Their facts are erased now.
    for (const by of await erasedOf(all)) await forget(by, await numbersOf(by, numbers, added));
    return stored;
  }

  return {
    add: store,

    async *of(by) {
      const number = (await people.find([by])).get(nameOf(by));
      if (number === undefined) return;
      const found = collection
        .find({ person: number }, { hint: 'of_person', projection: { _id: 0, kind: 1, at: 1, data: 1 } })
        .batchSize(readAtOnce);
      let part: Pick<Fact, 'kind' | 'at' | 'data'>[] = [];
      for await (const fact of found) {
        part.push(fact);
        if (part.length < readAtOnce) continue;
        yield part;
        part = [];
      }
      yield part;
    },

    forget: async (by) => forget(by, await numbersOf(by, await people.find([by]))),
  };
}

function distinct(added: readonly NewFact[]): readonly Person[] {
  const all = added.flatMap(({ by }) => by ?? []);
  return [...new Map(all.map((by) => [nameOf(by), by])).values()];
}
