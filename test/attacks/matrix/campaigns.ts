import { newId, ownVariantId, type engagementHttp } from '@storefront/contracts';
import { expectStatus } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

const wholeCampaign = ({ productId, categoryId }: Fixtures) => ({
  name: 'Teapots in spring',
  description: 'A tenth off all teapots.',
  discount: {
    type: 'percentage',
    percent: 10,
    target: 'items',
    items: {
      variants: [newId('var')],
      categories: [categoryId],
      excludedProducts: [productId],
      excludedVariants: [ownVariantId(productId)],
    },
    maximumAmount: { amount: 1000, currency: 'EUR' },
  },
  conditions: {
    segment: 'retail',
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2099-01-01T00:00:00.000Z',
    minimumSubtotal: { amount: 5000, currency: 'EUR' },
    minimumQuantity: 1,
    firstOrderOnly: false,
  },
  limits: { total: 1000, perUser: 1, budget: { amount: 500_000, currency: 'EUR' } },
  priority: 100,
  combination: 'stackable',
});

/** A draft, or one that was activated or paused. It belongs to the shop, whichever administrator made it. */
async function make(fixtures: Fixtures, ...steps: readonly ('activate' | 'pause')[]): Promise<string> {
  const { system, admin } = fixtures;
  const { token } = admin;
  const body = { ...wholeCampaign(fixtures), trigger: 'code' };
  const made = await expectStatus(system.call('POST', '/v1/campaigns', { token, body }), 201);
  for (const step of steps) await expectStatus(system.call('POST', `/v1/campaigns/${made.id}/${step}`, { token }), 200);
  return made.id as string;
}

const draft = id('camp', (fixtures) => make(fixtures));
const active = id('camp', (fixtures) => make(fixtures, 'activate'));

let codes = 0;
const newCode = () => `TEA-${(codes += 1)}`;

const code: Id = {
  async own(fixtures) {
    const campaignId = await make(fixtures);
    const own = newCode();
    const call = { token: fixtures.admin.token, body: { codes: [own] } };
    await expectStatus(fixtures.system.call('POST', `/v1/campaigns/${campaignId}/codes`, call), 201);
    return [campaignId, own];
  },
  random: () => [String(draft.random()), 'NO-SUCH-CODE'],
  missing: 'not_found',
};

type Operations = typeof engagementHttp.campaignOperations & typeof engagementHttp.campaignCodeOperations;

export const campaignRows: RowsOf<Operations> = {
  listCampaigns: { access: 'staff', roles: ['marketing', 'support'], ok: 200 },
  listActiveCampaigns: { access: 'public', ok: 200 },
  createCampaign: {
    access: 'staff',
    roles: ['marketing'],
    ok: 201,
    body: (fixtures) => ({ ...wholeCampaign(fixtures), trigger: 'automatic' }),
  },
  getCampaign: { access: 'staff', roles: ['marketing', 'support'], ok: 200, id: draft },
  changeCampaign: { access: 'staff', roles: ['marketing'], ok: 200, id: draft, body: wholeCampaign },
  deleteCampaign: { access: 'staff', roles: ['marketing'], ok: 204, id: draft },
  activateCampaign: { access: 'staff', roles: ['marketing'], ok: 200, id: draft },
  pauseCampaign: { access: 'staff', roles: ['marketing'], ok: 200, id: active },
  endCampaign: { access: 'staff', roles: ['marketing'], ok: 200, id: active },
  addCampaignCodes: {
    access: 'staff',
    roles: ['marketing'],
    ok: 201,
    id: draft,
    body: () => ({ codes: [newCode()], usesPerCode: 1 }),
  },
  listCampaignCodes: { access: 'staff', roles: ['marketing', 'support'], ok: 200, id: draft },
  exportCampaignCodes: { access: 'staff', roles: ['marketing'], ok: 200, id: draft },
  endCampaignCode: { access: 'staff', roles: ['marketing'], ok: 204, id: code },
};
