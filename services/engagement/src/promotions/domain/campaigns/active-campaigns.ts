import type { PageOf, Slice } from '@storefront/contracts';
import { statusAt, type CampaignRules } from './rules.ts';

/**
 * Returns a page of the campaigns that run for shoppers of a segment. `automatic` and the page are ordered by priority,
 * then by id.
 */
export function pageOfActive<Of extends { readonly rules: CampaignRules }>(
  automatic: readonly Of[],
  { segment, now }: { readonly segment: 'retail' | 'trade'; readonly now: Date },
  { limit, after }: Slice,
): PageOf<Of> {
  const [priority = -1, id = ''] = after ?? [];
  const remaining = automatic.filter(
    ({ rules }) =>
      (rules.priority > Number(priority) || (rules.priority === priority && rules.id > id)) &&
      (rules.conditions.segment === 'all' || rules.conditions.segment === segment) &&
      statusAt(rules, now) === 'active',
  );
  const items = remaining.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && remaining.length > limit ? [last.rules.priority, last.rules.id] : null };
}
