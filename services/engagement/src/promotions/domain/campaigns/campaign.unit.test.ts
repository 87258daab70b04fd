import { engagementHttp, type Decision } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import {
  activateCampaign,
  assertRoomForOneMore,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  endCampaign,
  pauseCampaign,
  recordEnd,
} from './campaign.ts';
import { rulesOf, statusOf, type Campaign, type CampaignUsage } from './rules.ts';

const start = new Date('2026-11-22T18:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const unused: CampaignUsage = { redemptions: 0, amount: 0, ever: false };
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const usd = (amount: number) => ({ amount, currency: 'USD' });

/** The state after a decision; throws where nothing changes. */
function stateOf(decision: Decision<Campaign, Campaign>): Campaign {
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return decision.state;
}

function draft(input: object = {}): Campaign {
  const given = {
    name: 'Spring',
    trigger: 'automatic',
    discount: { type: 'percentage', percent: 10, target: 'order' },
  };
  const body = engagementHttp.campaignCreation.parse({ ...given, ...input });
  return stateOf(createCampaign(body, { id: 'camp_1', now: start, currency: 'CHF' }));
}

const activated = (input: object = {}) => stateOf(activateCampaign(draft(input), start));
const change = (campaign: Campaign, input: object, { now = after(1), usage = unused } = {}) =>
  changeCampaign(campaign, engagementHttp.campaignChange.parse(input), { now, usage });
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    const { code, fields } = error as { code: string; fields?: { pointer: string; code: string }[] };
    return [code, ...(fields ?? []).map((field) => `${field.pointer} ${field.code}`)];
  }
  throw new Error('it was not refused');
};

describe('a draft', () => {
  it('has the currency of its money, or that of the shop', () => {
    expect(draft().currency).toBe('CHF');
    expect(draft({ limits: { budget: usd(5) } }).currency).toBe('USD');
  });

  it('stays a draft, whatever the clock says, and has no rules without a start', () => {
    const over = draft({ conditions: { startsAt: '2020-01-01T00:00:00Z', endsAt: '2021-01-01T00:00:00Z' } });
    expect(statusOf(over, start)).toBe('draft');
    expect(rulesOf(draft())).toBeNull();
    expect(rulesOf(over)).toMatchObject({ id: 'camp_1', stage: 'draft' });
  });

  it('changes its currency with all of its money only', () => {
    const fixed = draft({ discount: { type: 'fixed-amount', amount: eur(5), target: 'order' } });
    const discount = { type: 'fixed-amount', amount: usd(7), target: 'order' };
    expect(stateOf(change(fixed, { discount })).currency).toBe('USD');
    const withBudget = stateOf(change(fixed, { limits: { budget: eur(50) } }));
    expect(refusal(() => change(withBudget, { discount }))).toEqual([
      'validation_failed',
      '/discount/amount/currency other_currency',
    ]);
    const both = { discount, limits: { budget: usd(70) } };
    expect(stateOf(change(withBudget, both))).toMatchObject({ currency: 'USD', limits: { budget: 70 } });
    expect(refusal(() => change(fixed, { conditions: { minimumSubtotal: usd(1) } }))).toEqual([
      'validation_failed',
      '/conditions/minimumSubtotal/currency other_currency',
    ]);
    expect(stateOf(change(draft(), { limits: { budget: eur(1) } })).currency).toBe('EUR');
  });

  it('is left unchanged by what is there already', () => {
    const campaign = draft({ limits: { total: 3 }, description: 'x' });
    const same = {
      name: 'Spring',
      discount: { type: 'percentage', percent: 10, target: 'order' },
      limits: { total: 3 },
    };
    expect(change(campaign, same)).toEqual({ kind: 'unchanged', result: campaign });
  });
});

describe('an activated campaign', () => {
  it('keeps the currency that it was seen with', () => {
    expect(refusal(() => change(activated(), { limits: { budget: eur(1) } }))).toEqual([
      'validation_failed',
      '/limits/budget/currency other_currency',
    ]);
  });

  it('takes an end that it has already, also where that is close, and a later one', () => {
    const campaign = activated({ conditions: { endsAt: after(10).toISOString() } });
    const same = { name: 'Summer', conditions: { endsAt: after(10).toISOString() } };
    expect(stateOf(change(campaign, same, { now: after(9) })).name).toBe('Summer');
    const later = { conditions: { endsAt: after(100).toISOString() } };
    expect(stateOf(change(campaign, later, { now: after(9) })).conditions.endsAt).toEqual(after(100));
    expect(refusal(() => change(campaign, later, { now: after(10) }))).toEqual(['campaign_not_in_state']);
    expect(stateOf(change(campaign, { conditions: { endsAt: null } })).conditions.endsAt).toBeNull();
  });

  it('is not ended by a change', () => {
    expect(
      refusal(() => change(activated(), { conditions: { endsAt: after(5).toISOString() } }, { now: after(5) })),
    ).toEqual(['validation_failed', '/conditions/endsAt in_the_past']);
  });

  const limited = () => activated({ limits: { total: 9, perUser: 9, budget: eur(900) } });
  const usage = { redemptions: 4, amount: 400, ever: true };

  it.each([{ total: 4 }, { perUser: 4 }, { budget: eur(400) }, { total: null, perUser: null, budget: null }])(
    'with four redemptions of 4.00 takes the limits %o',
    (limits) => {
      expect(change(limited(), { limits }, { usage }).kind).toBe('changed');
    },
  );

  it.each([
    [{ total: 3 }, '/limits/total below_usage'],
    [{ perUser: 3 }, '/limits/perUser below_usage'],
    [{ budget: eur(399) }, '/limits/budget/amount below_usage'],
  ])('with four redemptions of 4.00 refuses the limits %o', (limits, fault) => {
    expect(refusal(() => change(limited(), { limits }, { usage }))).toEqual(['validation_failed', fault]);
  });

  it('may give each user more than before, however much is used', () => {
    const campaign = activated({ limits: { perUser: 1 } });
    expect(stateOf(change(campaign, { limits: { perUser: 2 } }, { usage })).limits.perUser).toBe(2);
    expect(stateOf(change(campaign, { name: 'x' }, { usage })).limits.perUser).toBe(1);
  });
});

describe('stages', () => {
  it('end by the clock without a change, and what has ended stays so', () => {
    const campaign = activated({ conditions: { endsAt: after(10).toISOString() } });
    const paused = stateOf(pauseCampaign(campaign, after(1)));
    for (const over of [campaign, paused]) {
      expect(statusOf(over, after(10))).toBe('ended');
      for (const decide of [activateCampaign, pauseCampaign, endCampaign])
        expect(refusal(() => decide(over, after(10)))).toEqual(['campaign_not_in_state']);
    }
    expect(statusOf(campaign, new Date(after(10).getTime() - 1))).toBe('active');
  });

  it('record an end that has come, once', () => {
    const campaign = activated({ conditions: { endsAt: after(10).toISOString() } });
    expect(recordEnd(campaign, after(9)).kind).toBe('unchanged');
    expect(recordEnd(activated(), after(9)).kind).toBe('unchanged');
    expect(recordEnd(draft({ conditions: { endsAt: after(1).toISOString() } }), after(9)).kind).toBe('unchanged');
    const recorded = recordEnd(campaign, after(11));
    expect(recorded).toMatchObject({
      kind: 'changed',
      state: { stage: 'ended', endedAt: null },
      facts: [{ data: { reason: 'end-reached', endedAt: after(10).toISOString() } }],
    });
    expect(recordEnd(stateOf(recorded), after(12)).kind).toBe('unchanged');
  });
});

describe('a deletion', () => {
  it('is refused where there was a redemption, given back or not', () => {
    expect(refusal(() => deleteCampaign(activated(), after(1), { ...unused, ever: true }))).toEqual([
      'campaign_redeemed',
    ]);
    expect(refusal(() => deleteCampaign(draft(), after(1), { ...unused, redemptions: 1 }))).toEqual([
      'campaign_redeemed',
    ]);
    expect(deleteCampaign(draft(), after(1), unused)).toMatchObject({ kind: 'deleted', facts: [] });
  });
});

it('there is room for 2,000 that have not ended', () => {
  expect(() => assertRoomForOneMore(1999)).not.toThrow();
  expect(refusal(() => assertRoomForOneMore(2000))).toEqual(['too_many_campaigns']);
});
