import { allPages, type PageOf, type Slice } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { campaignOf } from '../../../../test/carts.ts';
import { pageOfActive } from './active-campaigns.ts';
import type { CampaignRules } from './rules.ts';

const now = new Date('2026-11-22T18:00:00Z');

function campaign(id: string, priority: number, conditions: Partial<CampaignRules['conditions']> = {}) {
  const discount = { type: 'free-shipping', maximumAmount: null } as const;
  return { rules: campaignOf(discount, { id, priority, conditions: { startsAt: now, ...conditions } }) };
}

const idsOf = ({ items }: PageOf<ReturnType<typeof campaign>>) => items.map(({ rules }) => rules.id);
const whole: Slice = { limit: 100, after: undefined };

describe('what is on offer', () => {
  it('is what runs at that moment: the start counts, the end does not', () => {
    const after = new Date(now.getTime() + 1);
    const all = [
      campaign('runs', 1),
      campaign('starts later', 1, { startsAt: after }),
      campaign('ends now', 1, { startsAt: new Date(0), endsAt: now }),
      campaign('ends later', 1, { endsAt: after }),
    ];
    expect(idsOf(pageOfActive(all, { segment: 'retail', now }, whole))).toEqual(['runs', 'ends later']);
  });

  it('is for all, or for the segment', () => {
    const all = [campaign('a', 1, { segment: 'trade' }), campaign('b', 1, { segment: 'retail' }), campaign('c', 1)];
    expect(idsOf(pageOfActive(all, { segment: 'retail', now }, whole))).toEqual(['b', 'c']);
    expect(idsOf(pageOfActive(all, { segment: 'trade', now }, whole))).toEqual(['a', 'c']);
  });

  it.each([1, 2, 3, 4])('comes in pages of %i without a gap, also where priorities are equal', async (limit) => {
    const all = [campaign('b', 0), campaign('a', 3), campaign('c', 3), campaign('d', 3), campaign('a2', 4)];
    const read = (slice: Slice) => Promise.resolve(pageOfActive(all, { segment: 'retail', now }, slice));
    const pages = await Array.fromAsync(allPages(read, limit));
    expect(pages.flat().map(({ rules }) => rules.id)).toEqual(['b', 'a', 'c', 'd', 'a2']);
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });
});
