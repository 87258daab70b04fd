import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/arbitrary-carts.ts';
import { campaignOf, everything, now } from '../../../../test/carts.ts';
import { byPriority, statusAt, type CampaignRules } from './rules.ts';

const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const oneOff = { type: 'fixed-amount', amount: 1, target: 'order', items: everything } as const;
const from = (startsAt: Date, endsAt: Date | null, stage: CampaignRules['stage'] = 'activated') =>
  campaignOf(oneOff, { stage, conditions: { startsAt, endsAt } });

describe('the status', () => {
  it.each([
    ['activated, before the start', from(at(1), at(2)), 'scheduled'],
    ['activated, at the start', from(at(0), at(1)), 'active'],
    ['activated, before the end', from(at(-2), new Date(now.getTime() + 1)), 'active'],
    ['activated, at the end', from(at(-1), at(0)), 'ended'],
    ['activated, after the end', from(at(-2), at(-1)), 'ended'],
    ['activated, without an end', from(at(-1), null), 'active'],
    ['paused', from(at(-1), at(1), 'paused'), 'paused'],
    ['paused, before the start', from(at(1), at(2), 'paused'), 'paused'],
    ['paused, after the end', from(at(-2), at(-1), 'paused'), 'ended'],
    ['ended, before the end', from(at(-1), at(1), 'ended'), 'ended'],
    ['ended, before the start', from(at(1), null, 'ended'), 'ended'],
    ['a draft', from(at(-1), at(1), 'draft'), 'draft'],
    ['a draft, after the end', from(at(-2), at(-1), 'draft'), 'draft'],
  ])('of one %s', (_what, rules, status) => {
    expect(statusAt(rules, now)).toBe(status);
  });
});

it('campaigns are in the order of their priority, then of their ids', () => {
  const campaign = fc.record({ priority: fc.nat(3), id: fc.constantFrom('camp_a', 'camp_b', 'camp_c') });
  fc.assert(
    fc.property(fc.array(campaign), (list) => {
      const sorted = list.map((each) => campaignOf(oneOff, each)).toSorted(byPriority);
      const keys = sorted.map(({ priority, id }) => `${priority} ${id}`);
      expect(keys).toEqual(keys.toSorted());
    }),
    runs,
  );
});
