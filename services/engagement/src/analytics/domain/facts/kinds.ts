import type { Event } from '@storefront/contracts';
import type { Count, LaterCounts, PeopleSet } from './count.ts';
import type { Fact, FactDraft } from './fact.ts';
import type { FactKind } from './kind.ts';
import { accountFacts } from './kinds/account.ts';
import { billingFacts } from './kinds/billing.ts';
import { clientFacts } from './kinds/clients.ts';
import { engagementFacts } from './kinds/engagement.ts';
import { identityFacts } from './kinds/identity.ts';
import { ordersFacts } from './kinds/orders.ts';

/** All kinds of facts, by name. There is one file for each service that publishes events, and one file for clients. */
export const kinds = {
  ...accountFacts,
  ...billingFacts,
  ...clientFacts,
  ...engagementFacts,
  ...identityFacts,
  ...ordersFacts,
} as const;
export type FactKindName = keyof typeof kinds;

// Each kind reads only data that the same kind stated. The compiler cannot know this when a kind is looked up by its
// name.
const kindsByName = new Map(Object.entries(kinds)) as unknown as ReadonlyMap<string, FactKind>;
const sources = new Map(
  [...kindsByName].flatMap(([kind, { events = [] }]) =>
    events.map(({ contract, draftOf }) => [contract.type, { kind: kind as FactKindName, draftOf }] as const),
  ),
);

/** Returns the fact that an event becomes, or null where the event does not become a fact. */
export function draftOf(event: Event): (FactDraft & { readonly kind: FactKindName }) | null {
  const source = sources.get(event.type);
  const draft = source?.draftOf(event);
  return source && draft ? { ...draft, kind: source.kind } : null;
}

/**
 * What a fact adds to the sums of its moment and segment. Throws where this version of the service doesn't know the
 * kind of the fact.
 */
export function countsOf(fact: Fact): readonly Count[] {
  return kindOf(fact).countsOf?.(fact) ?? [];
}

/** What a fact adds to the sums of later days. For example, an unpaid invoice becomes overdue on a later day. */
export function laterCountsOf(fact: Fact): readonly LaterCounts[] {
  return kindOf(fact).laterCountsOf?.(fact) ?? [];
}

/**
 * The last moment at which a fact counts. The result may be wrong by up to a day, because days of the shop are taken
 * for days in UTC.
 */
export function lastMomentOf(fact: Fact): Date {
  return new Date(Math.max(fact.at.getTime(), ...laterCountsOf(fact).map(({ from }) => Date.parse(from))));
}

/**
 * The sets that the person of a fact belongs to, at the moment and in the segment of the fact. A fact without a person
 * has none.
 */
export function setsOf(fact: Fact): readonly PeopleSet[] {
  if (fact.person === null) return [];
  const { isActivity = false, setsOf: moreOf } = kindOf(fact);
  const isActive = isActivity && fact.segment !== 'guest';
  return [...(isActive ? [{ set: 'active', of: '' } as const] : []), ...(moreOf?.(fact) ?? [])];
}

function kindOf({ kind: name }: Fact): FactKind {
  const kind = kindsByName.get(name);
  if (!kind) throw new Error(`There is no kind of facts with the name ${name}`);
  return kind;
}
