import { expect, it } from 'vitest';
import { campaignOf, cartOf, everything, line, now, visitor, type CampaignOptions } from '../../../../test/carts.ts';
import type { Discount } from '../campaigns/rules.ts';
import { compile, type CompiledCampaign } from './compiled-campaigns.ts';
import { evaluateWithCodes, type Candidates, type Code } from './evaluate.ts';

const oneOff: Discount = { type: 'fixed-amount', amount: 100, target: 'order', items: everything };

function campaign(id: string, more: CampaignOptions = {}): CompiledCampaign {
  return compile(campaignOf(oneOff, { id, trigger: 'code', priority: 100, ...more }));
}

const code = (campaignId: string, more: Partial<Code> = {}): Code => ({
  campaignId,
  uses: 0,
  maximumUses: null,
  hasEnded: false,
  ...more,
});

function evaluated(
  codes: string[],
  candidates: Partial<Candidates>,
  known: Record<string, Code> = {},
  campaigns: CompiledCampaign[] = [],
) {
  return evaluateWithCodes(
    { cart: cartOf([line('prod_a', 1, 1000)]), shopper: visitor, codes },
    {
      automatic: [],
      codes: new Map(Object.entries(known)),
      campaigns: new Map(campaigns.map((one) => [one.rules.id, one])),
      usage: new Map(),
      others: [],
      ...candidates,
    },
    now,
  );
}

it('counts a campaign once, by the first of its codes that can still be used', () => {
  const known = {
    EMPTY: code('camp_a', { uses: 3, maximumUses: 3 }),
    FIRST: code('camp_a', { uses: 2, maximumUses: 3 }),
    SECOND: code('camp_a'),
  };
  const { discount, campaigns, codes } = evaluated(['EMPTY', 'FIRST', 'SECOND'], {}, known, [campaign('camp_a')]);
  expect(discount).toBe(100);
  expect(campaigns).toMatchObject([{ campaignId: 'camp_a', code: 'FIRST', applied: true, amount: 100 }]);
  expect(codes).toEqual([
    { code: 'EMPTY', status: 'used_up', campaignId: 'camp_a' },
    { code: 'FIRST', status: 'applied', campaignId: 'camp_a' },
    { code: 'SECOND', status: 'not_applied', campaignId: 'camp_a' },
  ]);
});

it('says why a code takes nothing off', () => {
  const known = {
    OVER: code('camp_a', { hasEnded: true }),
    USED: code('camp_b', { uses: 1, maximumUses: 1 }),
    ENDED: code('camp_c'),
    LATER: code('camp_d'),
    DRAFT: code('camp_e'),
  };
  const campaigns = [
    campaign('camp_a'),
    campaign('camp_b'),
    campaign('camp_c', { stage: 'ended' }),
    campaign('camp_d', { conditions: { startsAt: new Date('2026-12-01T00:00:00.000Z') } }),
    campaign('camp_e', { stage: 'draft' }),
  ];
  const found = evaluated(['OVER', 'USED', 'ENDED', 'LATER', 'DRAFT', 'WRONG'], {}, known, campaigns);
  expect(found.codes.map(({ status, campaignId }) => [status, campaignId])).toEqual([
    ['ended', 'camp_a'],
    ['used_up', 'camp_b'],
    ['ended', 'camp_c'],
    ['not_applied', 'camp_d'],
    ['unknown', null],
    ['unknown', null],
  ]);
  expect(found.campaigns.map(({ campaignId, code: by, reason }) => [campaignId, by, reason])).toEqual([
    ['camp_a', 'OVER', 'ended'],
    ['camp_b', 'USED', 'used_up'],
    ['camp_c', 'ENDED', 'ended'],
    ['camp_d', 'LATER', 'not_started'],
  ]);
});

it('leaves out automatic campaigns that do not run', () => {
  const automatic = [
    campaign('camp_a', { trigger: 'automatic' }),
    campaign('camp_b', { trigger: 'automatic', stage: 'paused' }),
    campaign('camp_c', { trigger: 'automatic', conditions: { endsAt: now } }),
  ];
  expect(evaluated([], { automatic }).campaigns.map(({ campaignId }) => campaignId)).toEqual(['camp_a']);
});

it('names running campaigns that match nothing, by priority, until 50 are named', () => {
  const others = Array.from({ length: 60 }, (_, index) =>
    campaign(`camp_${index}`, { trigger: 'automatic', priority: index }),
  );
  const touching = others.filter(({ rules }) => rules.priority === 55);
  const stopped = campaign('camp_x', { stage: 'paused', priority: 0 });
  const { campaigns } = evaluated([], { automatic: touching, others: [stopped, ...others] });
  expect(campaigns.map(({ campaignId }) => campaignId)).toEqual([
    ...others.slice(0, 49).map(({ rules }) => rules.id),
    'camp_55',
  ]);
  expect(campaigns[0]).toMatchObject({ applied: false, reason: 'no_matching_items', code: null });
  expect(campaigns.at(-1)).toMatchObject({ applied: true });
});
