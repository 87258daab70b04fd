import { newId, ownVariantId } from '@storefront/contracts';
import { anonymous, principal, recordQueries } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openLimitCounts } from '../src/promotions/store/limit-counts.ts';
import { only } from './carts.ts';
import { startEngagement, type Engagement } from './engagement.ts';
import {
  addCampaign,
  addProduct,
  amountOff,
  changeCampaign,
  costing,
  endAllCampaigns,
  euros,
  percentOff,
} from './offers.ts';

let service: Engagement;
let mug: string;
let pot: string;
const teaware = newId('cat');
beforeAll(async () => {
  service = await startEngagement();
  mug = await addProduct(service, { price: 1000, tradePrice: 800, categoryIds: [teaware] });
  pot = await addProduct(service, { price: 2500 });
});
afterAll(() => service.close());
afterEach(() => endAllCampaigns(service));

type Who = Parameters<Engagement['request']>[0];
const evaluate = (body: object, who: Who = anonymous) => service.request(who, 'POST', '/v1/discounts/evaluate', body);
const lines = (...ids: string[]) => ids.map((productId) => ({ productId, quantity: 2 }));

describe('an evaluation', () => {
  it('prices the cart by the catalog, names each campaign with its reason, and stores nothing', async () => {
    const tenth = await addCampaign(service, { discount: percentOff(10), priority: 1 });
    const large = await addCampaign(service, { conditions: { minimumSubtotal: 10_000 }, priority: 2 });
    const { status, body } = await evaluate({
      lines: [
        { lineId: 'mugs', productId: mug, quantity: 2 },
        { productId: pot, quantity: 1 },
      ],
      shipping: euros(495),
      codes: ['nothing'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      currency: 'EUR',
      subtotal: euros(4500),
      discount: euros(450),
      shipping: euros(495),
      shippingDiscount: euros(0),
      total: euros(4545),
      lines: [
        {
          lineId: 'mugs',
          productId: mug,
          variantId: ownVariantId(mug),
          sku: mug,
          quantity: 2,
          unitPrice: euros(1000),
          subtotal: euros(2000),
          discount: euros(200),
          total: euros(1800),
          discounts: [{ campaignId: tenth, amount: euros(200) }],
        },
        {
          lineId: '2',
          productId: pot,
          variantId: ownVariantId(pot),
          sku: pot,
          quantity: 1,
          unitPrice: euros(2500),
          subtotal: euros(2500),
          discount: euros(250),
          total: euros(2250),
          discounts: [{ campaignId: tenth, amount: euros(250) }],
        },
      ],
      campaigns: [
        {
          campaignId: tenth,
          name: `Campaign ${tenth}`,
          code: null,
          applied: true,
          amount: euros(450),
          reason: null,
          missing: null,
          missingQuantity: null,
        },
        {
          campaignId: large,
          name: `Campaign ${large}`,
          code: null,
          applied: false,
          amount: euros(0),
          reason: 'minimum_subtotal',
          missing: euros(5500),
          missingQuantity: null,
        },
      ],
      codes: [{ code: 'NOTHING', status: 'unknown', campaignId: null }],
    });
    expect(await service.collection('redemptions').countDocuments()).toBe(0);
    expect(await service.collection('campaign_usage').countDocuments({ redemptions: { $ne: 0 } })).toBe(0);
  });

  it('gives trade callers the trade price, and campaigns to their own segment', async () => {
    await addCampaign(service, { conditions: { segment: 'trade' } });
    const cart = { lines: lines(mug) };
    const [nobody, retail, trade] = await Promise.all(
      [anonymous, principal('retail'), principal('trade')].map((who) => evaluate(cart, who)),
    );
    expect([nobody, retail, trade].map((answer) => [answer?.body.subtotal, answer?.body.campaigns[0].reason])).toEqual([
      [euros(2000), 'sign_in_required'],
      [euros(2000), 'wrong_segment'],
      [euros(1600), null],
    ]);
  });

  it('takes off the variants that a campaign names, and says which one each line is about', async () => {
    const [small, medium] = [newId('var'), newId('var')];
    const variants = [small, medium].map((id) => ({ id, price: 1000, stock: 5 }));
    const shirt = await addProduct(service, { price: 1000, variants });
    const items = only({ variants: [small, ownVariantId(mug)] });
    await addCampaign(service, { discount: percentOff(10, items) });
    const { body } = await evaluate({
      lines: [
        { productId: shirt, variantId: small, quantity: 1 },
        { productId: shirt, variantId: medium, quantity: 1 },
        { productId: mug, quantity: 1 },
      ],
    });
    expect(body.lines).toMatchObject([
      { variantId: small, sku: `SKU of ${small}`, discount: euros(100) },
      { variantId: medium, sku: `SKU of ${medium}`, discount: euros(0) },
      { variantId: ownVariantId(mug), sku: mug, discount: euros(100) },
    ]);
  });

  it('follows the present campaigns at once', async () => {
    const campaign = await addCampaign(service);
    const cart = { lines: lines(mug) };
    expect((await evaluate(cart)).body.discount).toEqual(euros(200));
    await changeCampaign(service, campaign, { discount: amountOff(50) });
    expect((await evaluate(cart)).body.discount).toEqual(euros(50));
    await changeCampaign(service, campaign, { stage: 'paused' });
    expect((await evaluate(cart)).body).toMatchObject({ discount: euros(0), campaigns: [] });
  });

  it('counts by the limits that a campaign has now', async () => {
    const campaign = await addCampaign(service);
    const redeemed = { orderRef: 'order-before-limit', lines: costing(100) };
    await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', redeemed);
    const reason = async () => (await evaluate({ lines: lines(mug) })).body.campaigns[0].reason;
    expect(await reason()).toBeNull();
    await changeCampaign(service, campaign, { limits: { total: 1, perUser: null, budget: null } });
    expect(await reason()).toBe('used_up');
  });

  it('says which codes can not be used, and why', async () => {
    const used = await addCampaign(service, { codes: { USED: 1, FREE: null } });
    const over = await addCampaign(service, { codes: { OVER: null }, stage: 'ended' });
    const draft = await addCampaign(service, { codes: { DRAFT: null }, stage: 'draft' });
    const redeemed = { orderRef: 'order-1', lines: costing(100), codes: ['USED'] };
    expect((await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', redeemed)).status).toBe(
      201,
    );
    const { body } = await evaluate({ lines: lines(mug), codes: ['USED', 'OVER', 'DRAFT', 'NO-SUCH'] });
    expect(body.codes).toEqual([
      { code: 'USED', status: 'used_up', campaignId: used },
      { code: 'OVER', status: 'ended', campaignId: over },
      { code: 'DRAFT', status: 'unknown', campaignId: null },
      { code: 'NO-SUCH', status: 'unknown', campaignId: null },
    ]);
    expect(JSON.stringify(body)).not.toContain(draft);
    const free = await evaluate({ lines: lines(mug), codes: ['USED', 'FREE'] });
    expect(free.body.codes.map(({ status }: { status: string }) => status)).toEqual(['used_up', 'applied']);
  });

  it('counts what the user has used', async () => {
    await addCampaign(service, { limits: { perUser: 1 } });
    const ada = service.people.ada;
    const cart = { orderRef: 'order-ada', userId: ada.sub, lines: costing(100) };
    await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', cart);
    const reason = async (who: Who) => (await evaluate({ lines: lines(mug) }, who)).body.campaigns[0].reason;
    expect([await reason(ada), await reason(service.people.bob), await reason(anonymous)]).toEqual([
      'used_up_by_you',
      null,
      'sign_in_required',
    ]);
  });

  it('names every line that can not be sold', async () => {
    const hidden = await addProduct(service, { price: 100, isListed: false });
    const pounds = await addProduct(service, { price: 100, currency: 'GBP' });
    const unsold = { lines: lines(mug, newId('prod'), hidden, pounds) };
    const { status, body } = await evaluate(unsold);
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ['/lines/1/productId', 'unknown_product'],
      ['/lines/2/productId', 'unknown_product'],
      ['/lines/3/productId', 'other_currency'],
    ]);
    expect((await evaluate({ lines: lines(pounds), currency: 'GBP' })).body).toMatchObject({
      currency: 'GBP',
      subtotal: { amount: 200, currency: 'GBP' },
    });
  });

  it('lets only administrators state prices, time, segment and user; all money in the currency of the cart', async () => {
    await addCampaign(service, {
      conditions: { segment: 'trade', startsAt: new Date('2099-01-01T00:00:00.000Z') },
      limits: { perUser: 1 },
    });
    const stated = {
      lines: [{ productId: newId('prod'), quantity: 1, unitPrice: euros(500) }],
      segment: 'trade',
      userId: newId('user'),
      at: '2099-06-01T00:00:00Z',
    };
    const refused = await evaluate(stated, principal('trade'));
    expect([refused.status, refused.body.code]).toEqual([403, 'role_required']);
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/segment',
      '/userId',
      '/at',
      '/lines/0/unitPrice',
    ]);
    const inPounds = { amount: 500, currency: 'GBP' };
    const mixed = { ...stated, shipping: inPounds, lines: [{ ...stated.lines[0], unitPrice: inPounds }] };
    const other = await evaluate(mixed, service.people.admin);
    expect([
      other.status,
      other.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    ]).toEqual([400, ['/shipping/currency other_currency', '/lines/0/unitPrice/currency other_currency']]);
    const { status, body } = await evaluate(stated, service.people.admin);
    expect([status, body.subtotal, body.discount]).toEqual([200, euros(500), euros(50)]);
  });

  it('names at most 50 campaigns that match nothing', async () => {
    for (let priority = 0; priority < 55; priority += 1)
      await addCampaign(service, {
        discount: percentOff(10, only({ products: [pot] })),
        priority,
      });
    const touching = await addCampaign(service, { priority: 999 });
    const { campaigns } = (await evaluate({ lines: lines(mug) })).body;
    expect(campaigns).toHaveLength(50);
    expect(campaigns.at(-1)).toMatchObject({ campaignId: touching, applied: true });
    expect(new Set(campaigns.slice(0, 49).map(({ reason }: { reason: string }) => reason))).toEqual(
      new Set(['no_matching_items']),
    );
  });
});

describe('what limits are counted by', () => {
  const wantedBy = (userId: string, campaignId: string) => ({ campaignIds: [campaignId], userIds: [userId] });

  it('is read by two commands for one cart and the many that come meanwhile', async () => {
    const campaign = await addCampaign(service, { limits: { total: 10, perUser: 2 } });
    const ada = service.people.ada;
    const cart = { orderRef: 'order-counted', userId: ada.sub, lines: costing(100) };
    await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', cart);
    const limitCounts = openLimitCounts({ database: service.connection });
    const { version } = await service.collection('campaign_versions').findOne({});

    const stopRecording = await recordQueries(service.connection);
    const first = limitCounts.findForCart(wantedBy(ada.sub, campaign));
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 50 }, (_, at) =>
      limitCounts.findForCart(wantedBy(at === 0 ? ada.sub : newId('user'), campaign)),
    );
    const found = await Promise.all([first, ...others]);
    const ran = (await stopRecording()).filter(({ collection }) =>
      ['campaign_versions', 'campaign_usage', 'shoppers'].includes(collection),
    );

    expect(ran.map(({ collection, plan }) => [collection, plan])).toEqual([
      ['campaign_versions', 'IDHACK'],
      ['campaign_versions', 'IDHACK'],
    ]);
    for (const { version: read, usage } of found)
      expect([read, usage.get(campaign)]).toEqual([version, { redemptions: 1, amount: 10 }]);
    const usesOf = (at: number) => found[at]?.shoppers.get(ada.sub)?.uses.get(campaign);
    expect([usesOf(0), usesOf(1)]).toEqual([1, 1]);
  });
});
