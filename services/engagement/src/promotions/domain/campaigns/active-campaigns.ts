import type { PageOf, Slice } from '@storefront/contracts';
import { statusAt, type CampaignRules } from './rules.ts';

/**
 * A part of the campaigns that run for shoppers of a segment. `automatic` is in the order of priority and id; so is the position
 * of the slice.
 */
export function pageOfActive<Of extends { readonly rules: CampaignRules }>(
  automatic: readonly Of[],
  { segment, now }: { readonly segment: 'retail' | 'trade'; readonly now: Date },
  { limit, after }: Slice,
): PageOf<Of> {
  const [priority = -1, id = ''] = after ?? [];
  const rest = automatic.filter(
    ({ rules }) =>
      (rules.priority > Number(priority) || (rules.priority === priority && rules.id > id)) &&
      (rules.conditions.segment === 'all' || rules.conditions.segment === segment) &&
      statusAt(rules, now) === 'active',
  );
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rest.length > limit ? [last.rules.priority, last.rules.id] : null };
}
