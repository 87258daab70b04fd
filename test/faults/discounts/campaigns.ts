import { isSuccess } from '../client.ts';
import type { AdminClient } from '../admin.ts';

/** A campaign of the run. All virtual users share a few of them, so that they compete for what these give. */
export interface TestCampaign {
  readonly id: string;
  readonly name: string;
  /** Empty for an automatic one. */
  readonly codes: readonly TestCode[];
  readonly limits: CampaignLimits;
  /** The most that it takes off a cart with this subtotal, in cents. */
  readonly mostOff: (subtotal: number) => number;
}

interface TestCode {
  readonly code: string;
  readonly maximumUses: number | null;
}

/** What a campaign gives at most: redemptions in all and by one user, and cents. */
interface CampaignLimits {
  readonly total: number | null;
  readonly perUser: number | null;
  readonly budget: number | null;
}

const eachOff = 500;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const percentOff = (percent: number) => (subtotal: number) => Math.ceil((subtotal * percent) / 100);

/**
 * Creates and activates the campaigns of a run: an automatic one with a budget, one with codes that is limited in total and
 * for each user, and an exclusive one. The budget and the limits are so small that a run of so many operations uses them up.
 * Throws where one can't be made: no fault has begun yet.
 */
export async function openCampaigns(
  admin: AdminClient,
  { seed, operations }: { seed: number; operations: number },
): Promise<TestCampaign[]> {
  const total = Math.max(5, Math.round(operations / 150));
  // Half a use too little for one more: an amount is taken whole or not at all.
  const budget = Math.round((total + 0.5) * eachOff);

  let calls = 0;

  async function post(path: string, body?: object): Promise<{ id: string }> {
    calls += 1;
    const reply = await admin.call('POST', path, { ...(body && { body }), key: `campaigns-${seed}-${calls}` });
    if (!isSuccess(reply)) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async function open(campaign: Omit<TestCampaign, 'id'>, content: object): Promise<TestCampaign> {
    const { name, codes, limits } = campaign;
    const { total, perUser, budget } = limits;
    const trigger = codes.length === 0 ? 'automatic' : 'code';
    const sent = { total, perUser, budget: budget === null ? null : euros(budget) };
    const { id } = await post('/v1/campaigns', { name, trigger, limits: sent, ...content });
    for (const { code, maximumUses } of codes)
      await post(`/v1/campaigns/${id}/codes`, { codes: [code], usesPerCode: maximumUses });
    await post(`/v1/campaigns/${id}/activate`);
    return { ...campaign, id };
  }

  const unlimited: CampaignLimits = { total: null, perUser: null, budget: null };
  return [
    await open(
      {
        name: 'Five euros off while they last',
        codes: [],
        limits: { ...unlimited, budget },
        mostOff: (subtotal) => Math.min(eachOff, subtotal),
      },
      { discount: { type: 'fixed-amount', amount: euros(eachOff), target: 'order' }, priority: 20 },
    ),
    await open(
      {
        name: 'A tenth off, for a few',
        codes: [
          { code: `FEW-${seed}`, maximumUses: null },
          { code: `FEWER-${seed}`, maximumUses: Math.ceil(total / 4) },
        ],
        limits: { ...unlimited, total, perUser: 2 },
        mostOff: percentOff(10),
      },
      { discount: { type: 'percentage', percent: 10, target: 'items' }, priority: 10 },
    ),
    await open(
      {
        name: 'A fifth off and nothing else',
        codes: [{ code: `ALONE-${seed}`, maximumUses: null }],
        limits: unlimited,
        mostOff: percentOff(20),
      },
      { discount: { type: 'percentage', percent: 20, target: 'order' }, combination: 'exclusive', priority: 30 },
    ),
  ];
}
