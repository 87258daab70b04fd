import type { engagementHttp } from '@storefront/contracts';
import type { Promotions } from '../../promotions/promotions.ts';
import { checkClientEvent, type ClientFact } from '../domain/facts/client-event.ts';
import type { Segment } from '../domain/facts/fact.ts';
import type { Person } from '../domain/facts/person.ts';
import type { Rush } from '../domain/facts/rush.ts';
import { textOf, withoutTexts } from '../domain/facts/texts.ts';
import type { EventCounts } from '../store/event-counts.ts';
import type { FactStore } from '../store/fact-store.ts';

interface Needs {
  readonly facts: Pick<FactStore, 'take'>;
  readonly eventCounts: EventCounts;
  readonly catalogCopies: Promotions['catalogCopies'];
  readonly rush: Pick<Rush, 'note'>;
  readonly now: () => Date;
}

/** Who sent events. `by` is null where nobody is known, or wants to be. */
interface Sender {
  readonly by: Person | null;
  readonly hasToken: boolean;
  readonly isRobot: boolean;
  readonly segment: Segment;
  readonly ip: string;
}

type Rejection = engagementHttp.AnalyticsRejection;

export interface TakenEvents {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: { index: number; code: Rejection }[];
}

interface Checked {
  readonly index: number;
  readonly outcome: ClientFact | Rejection;
}

/** Takes the events that a client sent. Each one that is wrong is rejected by itself. */
export async function takeClientEvents(
  { facts, eventCounts, catalogCopies, rush, now }: Needs,
  { by, hasToken, isRobot, segment, ip }: Sender,
  events: readonly unknown[],
): Promise<TakenEvents> {
  const toldAt = now();
  const checked = events.map((sent, index): Checked => ({
    index,
    outcome: checkClientEvent(sent, { hasToken, now: toldAt }),
  }));
  const right = rightOf(checked);
  const withText = right.filter(({ fact }) => textOf(fact) !== null).length;
  // Events about what nobody knows are let in like others, so that who guesses ids comes to an end, too.
  const [admitted, texts, reject] = await Promise.all([
    eventCounts.admit(by, ip, right.length),
    isRobot ? 0 : eventCounts.admitTexts(ip, withText),
    rejectUnknown(catalogCopies, right),
  ]);
  const outcomes = right.map(({ index, fact }, place): Checked => {
    return { index, outcome: place < admitted ? (reject(fact) ?? fact) : 'too_many' };
  });
  let textsLeft = texts;
  const told = rightOf(outcomes).map(({ fact }) => {
    if (isRobot) return { id: fact.id, at: fact.at, kind: 'robot-event' as const, data: {}, segment, by: null, toldAt };
    const isKept = textOf(fact) === null || (textsLeft -= 1) >= 0;
    return { ...(isKept ? fact : withoutTexts(fact)), segment, by, toldAt };
  });
  rush.note(told.length);
  const isNew = await facts.take(told);
  const accepted = isNew.filter(Boolean).length;
  const rejected = [...checked, ...outcomes].flatMap(({ index, outcome }) =>
    typeof outcome === 'string' ? [{ index, code: outcome }] : [],
  );
  return {
    accepted,
    duplicates: told.length - accepted,
    rejected: rejected.toSorted((one, other) => one.index - other.index),
  };
}

function rightOf(checked: readonly Checked[]): { readonly index: number; readonly fact: ClientFact }[] {
  return checked.flatMap(({ index, outcome }) => (typeof outcome === 'string' ? [] : [{ index, fact: outcome }]));
}

/** Says of each of the facts why it is rejected where it is about a product or category that the catalog does not have. */
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
