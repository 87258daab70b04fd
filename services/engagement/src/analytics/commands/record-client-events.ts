import type { engagementHttp } from '@storefront/contracts';
import type { Promotions } from '../../promotions/promotions.ts';
import { checkClientEvent, type ClientFact } from '../domain/facts/client-event.ts';
import type { Segment } from '../domain/facts/fact.ts';
import type { Person } from '../domain/facts/person.ts';
import type { IntakeLoad } from '../domain/facts/intake-load.ts';
import { textOf, withoutTexts } from '../domain/facts/texts.ts';
import type { EventCounts } from '../store/event-counts.ts';
import type { FactStore } from '../store/fact-store.ts';

interface Needs {
  readonly facts: Pick<FactStore, 'add'>;
  readonly eventCounts: EventCounts;
  readonly catalogCopies: Promotions['catalogCopies'];
  readonly intakeLoad: Pick<IntakeLoad, 'note'>;
  readonly now: () => Date;
}

/** The sender of events. `by` is null where the person is unknown or does not want to be known. */
interface Sender {
  readonly by: Person | null;
  readonly hasToken: boolean;
  readonly isRobot: boolean;
  readonly segment: Segment;
  readonly ip: string;
}

type Rejection = engagementHttp.AnalyticsRejection;

export interface RecordedEvents {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: { index: number; code: Rejection }[];
}

interface Checked {
  readonly index: number;
  readonly outcome: ClientFact | Rejection;
}

/** Stores the events that a client sent. A wrong event is rejected, and the other events of the request are stored. */
export async function recordClientEvents(
  { facts, eventCounts, catalogCopies, intakeLoad, now }: Needs,
  { by, hasToken, isRobot, segment, ip }: Sender,
  events: readonly unknown[],
): Promise<RecordedEvents> {
  const publishedAt = now();
  const checked = events.map((sent, index): Checked => ({
    index,
    outcome: checkClientEvent(sent, { hasToken, now: publishedAt }),
  }));
  const right = rightOf(checked);
  const withText = right.filter(({ fact }) => textOf(fact) !== null).length;
  // Events about unknown products count against the limit, too. Otherwise a client could try ids without end.
  const [admitted, texts, reject] = await Promise.all([
    eventCounts.admit(by, ip, right.length),
    isRobot ? 0 : eventCounts.admitTexts(ip, withText),
    rejectUnknown(catalogCopies, right),
  ]);
  const outcomes = right.map(({ index, fact }, place): Checked => {
    return { index, outcome: place < admitted ? (reject(fact) ?? fact) : 'too_many' };
  });
  let textsLeft = texts;
  const admittedFacts = rightOf(outcomes).map(({ fact }) => {
    if (isRobot)
      return { id: fact.id, at: fact.at, kind: 'robot-event' as const, data: {}, segment, by: null, publishedAt };
    const isKept = textOf(fact) === null || (textsLeft -= 1) >= 0;
    return { ...(isKept ? fact : withoutTexts(fact)), segment, by, publishedAt };
  });
  intakeLoad.note(admittedFacts.length);
  const isNew = await facts.add(admittedFacts);
  const accepted = isNew.filter(Boolean).length;
  const rejected = [...checked, ...outcomes].flatMap(({ index, outcome }) =>
    typeof outcome === 'string' ? [{ index, code: outcome }] : [],
  );
  return {
    accepted,
    duplicates: admittedFacts.length - accepted,
    rejected: rejected.toSorted((one, other) => one.index - other.index),
  };
}

function rightOf(checked: readonly Checked[]): { readonly index: number; readonly fact: ClientFact }[] {
  return checked.flatMap(({ index, outcome }) => (typeof outcome === 'string' ? [] : [{ index, fact: outcome }]));
}

/**
 * Returns a function that gives the reason to reject a fact. A fact is rejected when the catalog does not have its
 * product or category. For other facts the function returns null.
 */
async function rejectUnknown(
  { find, knownCategories }: Needs['catalogCopies'],
  facts: readonly { readonly fact: ClientFact }[],
): Promise<(fact: ClientFact) => Rejection | null> {
  const idsOf = (field: 'productId' | 'categoryId') =>
    new Set(facts.flatMap(({ fact }) => (fact.data as Partial<Record<string, string>>)[field] ?? []));
  const [products, categories] = await Promise.all([find(idsOf('productId')), knownCategories(idsOf('categoryId'))]);
  return ({ data }) => {
    const { productId, categoryId } = data as Partial<Record<string, string>>;
    if (productId !== undefined && !products.has(productId)) return 'unknown_product';
    return categoryId !== undefined && !categories.has(categoryId) ? 'unknown_category' : null;
  };
}
