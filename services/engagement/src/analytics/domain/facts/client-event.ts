import { engagementHttp } from '@storefront/contracts';
import type { Fact } from './fact.ts';
import type { FactKindName } from './kinds.ts';
import { namesPerson } from './personal-data.ts';
import { searchTextOf } from './search-text.ts';

type Rejection = engagementHttp.AnalyticsRejection;

/** A valid event of a client, as a fact. */
export interface ClientFact extends Pick<Fact, 'id' | 'at' | 'data'> {
  readonly kind: FactKindName;
}

const dayMs = 24 * 60 * 60_000;
/**
 * How many days old an event may be. A user with a token gets more days, because the user's device may have been
 * without a network.
 */
const [daysOfUser, daysOfVisitor] = [30, 1];
const knownTypes: ReadonlySet<unknown> = new Set(
  engagementHttp.analyticsEvent.options.map(({ shape }) => shape.type.value),
);

/**
 * Checks one event that a client sent, with a token or without one. Returns the fact for the event, or the reason why
 * the event is refused.
 */
export function checkClientEvent(
  sent: unknown,
  { hasToken, now }: { readonly hasToken: boolean; readonly now: Date },
): ClientFact | Rejection {
  if (!knownTypes.has((sent as { readonly type?: unknown } | null)?.type)) return 'unknown_type';
  const checked = engagementHttp.analyticsEvent.safeParse(sent);
  if (!checked.success) return 'invalid_fields';
  const event = checked.data;
  const at = new Date(event.at);
  if (at.getTime() > now.getTime() + dayMs) return 'in_the_future';
  if (at.getTime() < now.getTime() - (hasToken ? daysOfUser : daysOfVisitor) * dayMs) return 'too_old';
  if (event.type === 'custom' && stringsIn(event.properties).some(namesPerson)) return 'personal_data';
  return { id: event.id, kind: event.type, at, data: dataOf(event) };
}

function dataOf(event: engagementHttp.AnalyticsEvent): object {
  switch (event.type) {
    case 'product-viewed':
      return { productId: event.productId };
    case 'category-viewed':
      return { categoryId: event.categoryId };
    case 'search-performed':
      return { words: searchTextOf(event.query), results: event.results };
    case 'custom':
      return { name: event.name, properties: event.properties };
    case 'cart-updated':
    case 'checkout-started':
      return {};
  }
}

function stringsIn(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(properties).filter((value) => typeof value === 'string');
}
