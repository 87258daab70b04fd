import { catalogEvents, newId, type http } from '@storefront/contracts';
import { expect } from 'vitest';
import type { CampaignRules, Discount, Selector } from '../src/promotions/domain/campaigns/rules.ts';
import { everything } from './carts.ts';
import type { Engagement } from './engagement.ts';

export function percentOff(percent: number, items: Selector = everything): Discount {
  return { type: 'percentage', basisPoints: percent * 100, target: 'order', items, maximumAmount: null };
}

export function euros(amount: number): http.Money {
  return { amount, currency: 'EUR' };
}

export function amountOff(amount: number): Discount {
  return { type: 'fixed-amount', amount, target: 'order', items: everything };
}

interface NewCampaign {
  readonly discount?: Discount;
  readonly trigger?: 'automatic' | 'code';
  readonly stage?: CampaignRules['stage'];
  readonly currency?: string;
  readonly priority?: number;
  readonly combination?: CampaignRules['combination'];
  readonly conditions?: Partial<CampaignRules['conditions']>;
  readonly limits?: Partial<CampaignRules['limits']>;
  /** Its codes, and how often each can be used. */
  readonly codes?: Readonly<Record<string, number | null>>;
}

/** Stores a campaign as its commands would; active from the first moment where nothing else is said. */
export async function addCampaign(service: Engagement, given: NewCampaign = {}): Promise<string> {
  const id = newId('camp');
  const { discount = percentOff(10), trigger = given.codes ? 'code' : 'automatic', stage = 'activated' } = given;
  const createdAt = new Date();
  await service.collection('campaign_usage').insertOne({
    _id: id,
    redemptions: 0,
    amount: 0,
    ever: false,
    campaignVersion: 1,
  });
  await service.collection('campaigns').insertOne({
    _id: id,
    version: 1,
    outbox: [],
    name: `Campaign ${id}`,
    description: null,
    trigger,
    currency: given.currency ?? 'EUR',
    stage,
    discount,
    conditions: {
      segment: 'all',
      startsAt: new Date(createdAt.getTime() - 60_000),
      endsAt: null,
      minimumSubtotal: null,
      minimumQuantity: null,
      firstOrderOnly: false,
      ...given.conditions,
    },
    limits: { total: null, perUser: null, budget: null, ...given.limits },
    priority: given.priority ?? 100,
    combination: given.combination ?? 'stackable',
    activatedAt: createdAt,
    endedAt: null,
    createdAt,
    updatedAt: createdAt,
  });
  const codes = Object.entries(given.codes ?? {});
  if (codes.length > 0)
    await service.collection('campaign_codes').insertMany(
      codes.map(([code, maximumUses]) => ({
        _id: code,
        campaignId: id,
        uses: 0,
        maximumUses,
        endedAt: null,
        createdAt,
        batch: id,
      })),
    );
  await changed(service);
  return id;
}

/** Changes a stored campaign as its commands would: the version goes into the usage in the same transaction. */
export async function changeCampaign(service: Engagement, id: string, update: object): Promise<void> {
  const session = service.connection.getClient().startSession();
  try {
    await session.withTransaction(async () => {
      await service.collection('campaign_usage').updateOne({ _id: id }, { $inc: { campaignVersion: 1 } }, { session });
      await service.collection('campaigns').updateOne({ _id: id }, { $set: update, $inc: { version: 1 } }, { session });
      await service
        .collection('campaign_versions')
        .updateOne({ _id: 'campaigns' }, { $inc: { version: 1 } }, { session });
    });
  } finally {
    await session.endSession();
  }
}

/** Ends all campaigns, so that a test begins without those of others. */
export async function endAllCampaigns(service: Engagement): Promise<void> {
  const running = await service
    .collection('campaigns')
    .find({ stage: { $ne: 'ended' } })
    .toArray();
  for (const { _id } of running) await changeCampaign(service, _id, { stage: 'ended', endedAt: new Date() });
}

async function changed(service: Engagement): Promise<void> {
  await service.collection('campaign_versions').updateOne({ _id: 'campaigns' }, { $inc: { version: 1 } });
}

const productId = newId('prod');

interface NewProduct {
  readonly price: number;
  readonly tradePrice?: number;
  readonly currency?: string;
  readonly isListed?: boolean;
  readonly stock?: number;
  readonly categoryIds?: readonly string[];
  /** What the product is sold in; of a product without options nothing. */
  readonly variants?: readonly { readonly id: string; readonly price: number; readonly stock: number }[];
}

/** Publishes a product as the catalog does, and waits until the service knows it. Returns its id. */
export async function addProduct(service: Engagement, given: NewProduct): Promise<string> {
  const { price, tradePrice, currency = 'EUR', isListed = true, stock = 1, categoryIds = [], variants } = given;
  const id = newId('prod');
  const money = (amount: number): http.Money => ({ amount, currency });
  const facts = {
    id,
    sku: id,
    name: 'A mug',
    slug: id,
    image: null,
    categoryIds: [...categoryIds],
    price: money(price),
    tradePrice: tradePrice === undefined ? null : money(tradePrice),
    status: isListed ? ('active' as const) : ('draft' as const),
    stock,
    available: isListed && stock > 0,
    ...(variants && { variants: variants.map((each) => variantOf(each, currency)) }),
  };
  await service.publish(service.event(catalogEvents.productCreated, id, facts));
  await service.idle();
  return id;
}

function variantOf(
  { id, price, stock }: { readonly id: string; readonly price: number; readonly stock: number },
  currency: string,
): catalogEvents.VariantFacts {
  const rest = { sku: `SKU of ${id}`, values: [id], tradePrice: null, weight: null, status: 'active' as const };
  return { id, price: { amount: price, currency }, stock, ...rest };
}

/** The lines of a cart that costs so much in all; administrators state the price. */
export function costing(amount: number) {
  return [{ productId, quantity: 1, unitPrice: euros(amount) }];
}

/** Throws where usage, codes or users are not the sum over the redemptions that are held or confirmed. */
export async function assertSums(service: Engagement): Promise<void> {
  const open = await service
    .collection('redemptions')
    .find({ status: { $in: ['held', 'confirmed'] } })
    .toArray();
  const expected = new Map<string, number>();
  const add = (key: string, amount: number) => expected.set(key, (expected.get(key) ?? 0) + amount);
  for (const { owner, parts } of open)
    for (const { campaignId, code, amount } of parts) {
      add(`redemptions of ${campaignId}`, 1);
      add(`amount of ${campaignId}`, amount);
      if (code !== null) add(`uses of ${code}`, 1);
      if (owner.startsWith('user_')) add(`uses of ${campaignId} by ${owner}`, 1);
    }
  const stored = new Map<string, number>();
  const note = (key: string, amount: number) => amount !== 0 && stored.set(key, amount);
  for (const { _id, redemptions, amount } of await service.collection('campaign_usage').find().toArray()) {
    note(`redemptions of ${_id}`, redemptions);
    note(`amount of ${_id}`, amount);
  }
  for (const { _id, uses } of await service.collection('campaign_codes').find().toArray()) note(`uses of ${_id}`, uses);
  for (const { _id, uses } of await service.collection('shoppers').find().toArray())
    for (const [campaignId, count] of Object.entries<number>(uses)) note(`uses of ${campaignId} by ${_id}`, count);
  const byName = (one: string, other: string) => one.localeCompare(other);
  const sorted = (sums: Map<string, number>) => [...sums].map(([key, amount]) => `${key}: ${amount}`).toSorted(byName);
  const [found, wanted] = [sorted(stored).join('\n'), sorted(expected).join('\n')];
  if (found !== wanted) throw new Error(`counted is\n${found}\nbut the redemptions are\n${wanted}`);
}

/** Throws where the API says something else of what a campaign brought these days than its redemptions do; nobody was erased. */
export async function assertPerformance(service: Engagement, campaignId: string): Promise<void> {
  const path = `/v1/campaigns/${campaignId}/performance`;
  const { body } = await service.request(service.people.admin, 'GET', path);
  const redemptions = await service.collection('redemptions').find({ campaignIds: campaignId }).toArray();
  const of = (segments: readonly string[]) => {
    const mine = redemptions.filter(({ segment }) => segments.includes(segment));
    const left = mine.filter(({ status }) => status !== 'released');
    const parts = left.flatMap((redemption) =>
      redemption['parts'].filter((part: any) => part.campaignId === campaignId),
    );
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
    return {
      redemptions: left.length,
      released: mine.length - left.length,
      customers: new Set(left.map(({ owner }) => owner).filter((owner) => owner !== 'guest')).size,
      discount: { amount: sum(parts.map(({ amount }) => amount)), currency: 'EUR' },
      orderValue: { amount: sum(left.map(({ total }) => total)), currency: 'EUR' },
    };
  };
  const { all, retail, trade } = body;
  expect({ all, retail, trade }).toMatchObject({
    all: of(['retail', 'trade']),
    retail: of(['retail']),
    trade: of(['trade']),
  });
}
