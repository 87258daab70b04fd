import { newId, type engagementHttp } from '@storefront/contracts';
import { expectStatus, type Person } from '../system/people.ts';
import { id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

let orders = 0;

/** A campaign that runs for everybody, with one code. */
async function runningCampaign({ system, admin }: Fixtures, code: string): Promise<string> {
  const { token } = admin;
  const body = { name: 'Mugs', trigger: 'code', discount: { type: 'percentage', percent: 10, target: 'order' } };
  const campaign = await expectStatus(system.call('POST', '/v1/campaigns', { token, body }), 201);
  await expectStatus(
    system.call('POST', `/v1/campaigns/${campaign.id}/codes`, { token, body: { codes: [code] } }),
    201,
  );
  await expectStatus(system.call('POST', `/v1/campaigns/${campaign.id}/activate`, { token }), 200);
  return campaign.id as string;
}

const newCode = () => `ATTACK-${process.hrtime.bigint()}`;

/** An administrator holds discounts for the person, who could hold only three. */
async function redeem(fixtures: Fixtures, person: Person): Promise<string> {
  const code = newCode();
  await runningCampaign(fixtures, code);
  const { token } = fixtures.admin;
  const body = { ...holdOf(fixtures), codes: [code], userId: person.id };
  return (await expectStatus(fixtures.system.call('POST', '/v1/discounts/redemptions', { token, body }), 201))
    .id as string;
}

const shipping = { amount: 495, currency: 'EUR' };

function cartOf({ productId }: Fixtures) {
  orders += 1;
  return { orderRef: `order-${orders}`, lines: [{ productId, quantity: 2 }], shipping, currency: 'EUR' };
}

const holdOf = (fixtures: Fixtures) => ({ ...cartOf(fixtures), hold: { seconds: 3600 } });

const redemption = id('red', redeem);

type Operations = typeof engagementHttp.discountOperations & typeof engagementHttp.campaignPerformanceOperations;

export const discountRows: RowsOf<Operations> = {
  evaluateDiscounts: {
    access: 'public',
    roles: ['marketing'],
    ok: 200,
    body: ({ productId }) => ({ lines: [{ productId, quantity: 2 }], shipping, currency: 'EUR', codes: [] }),
  },
  // No campaign takes anything off.
  redeemDiscounts: { access: 'user', roles: ['marketing'], ok: [422, 'no_discount_applies'], body: holdOf },
  listRedemptions: { access: 'user', roles: ['marketing', 'support'], ok: 200 },
  getRedemption: { access: 'user', roles: ['marketing', 'support'], ok: 200, id: redemption },
  confirmRedemption: { access: 'staff', roles: ['marketing'], ok: 200, id: redemption },
  releaseRedemption: { access: 'user', roles: ['marketing'], ok: 200, id: redemption },
  releaseRedemptionsOfUser: { access: 'staff', roles: ['marketing'], ok: 200, query: `user=${newId('user')}` },
  getCampaignPerformance: {
    access: 'staff',
    roles: ['marketing', 'support'],
    ok: 200,
    id: id('camp', (fixtures) => runningCampaign(fixtures, newCode())),
  },
};
