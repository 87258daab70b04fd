import type { FactDraft } from '../facts/fact.ts';
import { kinds, type FactKindName } from '../facts/kinds.ts';
import { nameOf } from '../facts/person.ts';
import { actKinds } from './acts.ts';
import type { ShopDays } from './shop-days.ts';

const acts: ReadonlySet<string> = new Set(Object.values(actKinds));

/**
 * The kinds whose facts say only that a user was active, in the segment and the quarter of an hour of the fact. They
 * add nothing to sums, and no flag follows from them.
 */
const onlyActivity: ReadonlySet<string> = new Set(
  Object.entries(kinds)
    .filter(([name, { isActivity, countsOf, laterCountsOf, setsOf }]) => {
      const isCounted = countsOf !== undefined || laterCountsOf !== undefined || setsOf !== undefined;
      return isActivity && !isCounted && !acts.has(name);
    })
    .map(([name]) => name),
);

/**
 * Returns a text that is the same for two facts if reports are the same with one of them as with both. null where
 * reports need each fact.
 */
export function activityOf(
  { kind, at, segment, by }: FactDraft & { readonly kind: FactKindName },
  { quarterOf }: Pick<ShopDays, 'quarterOf'>,
): string | null {
  if (by === null || !onlyActivity.has(kind)) return null;
  const { day, quarter } = quarterOf(at);
  return `${day} ${quarter} ${segment} ${nameOf(by)}`;
}
