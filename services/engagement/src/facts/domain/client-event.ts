import { engagementHttp } from '@storefront/contracts';
import type { Fact } from './fact.ts';
import type { FactKindName } from './kinds.ts';

type Rejection = engagementHttp.AnalyticsRejection;

/** An event of a client that is right. */
export interface ClientFact extends Pick<Fact, 'id' | 'at' | 'data'> {
  readonly kind: FactKindName;
}

const dayMs = 24 * 60 * 60_000;
const email = /[^\s@]@[^\s@]+\.[^\s@]/;
const knownTypes: ReadonlySet<unknown> = new Set(
  engagementHttp.analyticsEvent.options.map(({ shape }) => shape.type.value),
);

/** Checks one event that a client sent. Returns the fact that it tells, or why it is refused. */
export function checkClientEvent(sent: unknown, now: Date): ClientFact | Rejection {
  if (!knownTypes.has((sent as { readonly type?: unknown } | null)?.type)) return 'unknown_type';
  const checked = engagementHttp.analyticsEvent.safeParse(sent);
  if (!checked.success) return 'invalid_fields';
  const event = checked.data;
  const at = new Date(event.at);
  if (at.getTime() > now.getTime() + dayMs) return 'in_the_future';
  if (at.getTime() < now.getTime() - 30 * dayMs) return 'too_old';
  if (textsOf(event).some((text) => email.test(text))) return 'personal_data';
  return { id: event.id, kind: event.type, at, data: dataOf(event) };
}

function dataOf(event: engagementHttp.AnalyticsEvent): object {
  switch (event.type) {
    case 'product-viewed':
      return { productId: event.productId };
    case 'category-viewed':
      return { categoryId: event.categoryId };
    case 'search-performed':
      return { words: wordsOf(event.query), results: event.results };
    case 'custom':
      return { name: event.name, properties: event.properties };
    case 'cart-updated':
    case 'checkout-started':
      return {};
  }
}

// Some letters are longer in lower case.
function wordsOf(query: string): string {
  return query.toLowerCase().replaceAll(/\s+/g, ' ').slice(0, 200);
}

function textsOf(event: engagementHttp.AnalyticsEvent): readonly string[] {
  if (event.type === 'search-performed') return [event.query];
  if (event.type !== 'custom') return [];
  return Object.values(event.properties).filter((value) => typeof value === 'string');
}
