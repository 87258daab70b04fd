import { newId } from '@storefront/contracts';
import type { Answer } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, amountOff, assertSums, changeCampaign, costing, endAllCampaigns } from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
});
afterAll(() => service.close());
afterEach(async () => {
  await assertSums(service);
  await endAllCampaigns(service);
});

const admin = () => service.people.admin;
let orders = 0;
const newOrder = () => `order-${(orders += 1)}`;
const instanceOf = (index: number) => index % 2;

/** So many redemptions at once, for an order each, over both instances. */
function redeemAtOnce(count: number, body: object): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const cart = { orderRef: newOrder(), lines: costing(10_000), ...body };
      return service.request(admin(), 'POST', '/v1/discounts/redemptions', cart, {}, instanceOf(index));
    }),
  );
}

const release = (id: string, index = 0) =>
  service.request(admin(), 'DELETE', `/v1/discounts/redemptions/${id}`, undefined, {}, instanceOf(index));

/** Reads a campaign's usage all the time while `work` runs, and returns the greatest values that it saw. */
async function watching(campaign: string, work: () => Promise<void>) {
  const greatest = { redemptions: 0, amount: 0, uses: 0, looks: 0 };
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const [usage, codes] = await Promise.all([
        service.collection('campaign_usage').findOne({ _id: campaign }),
        service.collection('campaign_codes').find({ campaignId: campaign }).toArray(),
      ]);
      greatest.redemptions = Math.max(greatest.redemptions, usage?.['redemptions'] ?? 0);
      greatest.amount = Math.max(greatest.amount, usage?.['amount'] ?? 0);
      greatest.uses = Math.max(greatest.uses, ...codes.map(({ uses }) => uses));
      greatest.looks += 1;
    }
  };
  const looking = look();
  try {
    await work();
  } finally {
    isOver = true;
    await looking;
  }
  return greatest;
}

const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const redeemed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201);

describe('1,000 redemptions at once over two instances', () => {
  it('use a code exactly as often as it can be used, and again as often as is given back', async () => {
    const campaign = await addCampaign(service, { discount: amountOff(100), codes: { HUNDRED: 100 } });
    const greatest = await watching(campaign, async () => {
      const answers = await redeemAtOnce(1000, { codes: ['HUNDRED'] });
      expect([count(answers, 201), count(answers, 422)]).toEqual([100, 900]);
      const refused = answers.find(({ status }) => status === 422);
      expect(refused?.body.evaluation).toMatchObject({
        campaigns: [{ campaignId: campaign, applied: false, reason: 'used_up' }],
        codes: [{ code: 'HUNDRED', status: 'used_up', campaignId: campaign }],
      });
      const given = redeemed(answers).slice(0, 37);
      const released = await Promise.all(given.map(({ body }, index) => release(body.id, index)));
      expect(released.map(({ status, body }) => [status, body.status])).toEqual(given.map(() => [200, 'released']));
      expect(count(await redeemAtOnce(100, { codes: ['HUNDRED'] }), 201)).toBe(37);
    });
    expect(greatest).toMatchObject({ redemptions: 100, amount: 10_000, uses: 100 });
    expect(greatest.looks).toBeGreaterThan(5);
  });

  it('never take more than the budget, and each takes its whole amount', async () => {
    // 137.5 times 2.00.
    const campaign = await addCampaign(service, { discount: amountOff(200), limits: { budget: 27_500 } });
    const greatest = await watching(campaign, async () => {
      const answers = await redeemAtOnce(1000, {});
      expect([count(answers, 201), count(answers, 422)]).toEqual([137, 863]);
      expect(answers.find(({ status }) => status === 422)?.body.evaluation.campaigns[0]).toMatchObject({
        reason: 'budget_exhausted',
      });
      await Promise.all(
        redeemed(answers)
          .slice(0, 10)
          .map(({ body }, index) => release(body.id, index)),
      );
      expect(count(await redeemAtOnce(50, {}), 201)).toBe(10);
    });
    expect(greatest).toMatchObject({ redemptions: 137, amount: 27_400 });
  });

  it('use a campaign for a user no more often than one may', async () => {
    const campaign = await addCampaign(service, { discount: amountOff(100), limits: { perUser: 3, total: 5 } });
    const [ada, bob] = [newId('user'), newId('user')];
    const answers = await Promise.all([redeemAtOnce(40, { userId: ada }), redeemAtOnce(40, { userId: bob })]);
    const [adas = 0, bobs = 0] = answers.map((of) => count(of, 201));
    expect(adas + bobs).toBe(5);
    expect(Math.max(adas, bobs)).toBeLessThanOrEqual(3);
    const usage = await service.collection('campaign_usage').findOne({ _id: campaign });
    expect(usage).toMatchObject({ redemptions: 5, amount: 500 });
  });

  it('redeem nothing once a pause was acknowledged', async () => {
    const campaign = await addCampaign(service, { discount: amountOff(100) });
    const redemptions = async () =>
      (await service.collection('campaign_usage').findOne({ _id: campaign }))?.['redemptions'] as number;
    for (let round = 1; round <= 20; round += 1) {
      expect(count(await redeemAtOnce(2, {}), 201)).toBe(2);
      const answers = redeemAtOnce(50, {});
      await changeCampaign(service, campaign, { stage: 'paused' });
      const before = await redemptions();
      const all = await answers;
      expect(count(all, 201) + count(all, 422)).toBe(50);
      expect(await redemptions()).toBe(before);
      await changeCampaign(service, campaign, { stage: 'activated' });
    }
    expect(await redemptions()).toBeGreaterThanOrEqual(40);
  });
});
