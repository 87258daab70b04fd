import { setTimeout as wait } from 'node:timers/promises';
import type { http } from '@storefront/contracts';
import { call, logIn } from '../api.ts';
import type { StackProcess } from '../system/stack-process.ts';

/** A shop with products, and the carts of its shoppers. */
export interface DiscountShop {
  /** The first 20 are in the cart, the last half in no cart. */
  readonly productIds: readonly string[];
  /** Category of the products of the cart, and category of the others. */
  readonly categories: { readonly ofCart: string; readonly others: string };
  readonly cart: Cart;
}

interface Cart {
  readonly lines: readonly { readonly productId: string; readonly quantity: number }[];
  readonly shipping: http.Money;
}

interface Selector {
  readonly products?: readonly string[];
  readonly categories?: readonly string[];
}

const productCount = 200;
const cartLines = 20;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
// So few at a time that the administrator's requests do not wait for each other.
const atATime = 4;
const copiesDeadlineMs = 60_000;

/** Creates the products of a shop through the API, and waits until discounts can be worked out for them. */
export async function fillDiscountShop({ gateways, accounts }: StackProcess): Promise<DiscountShop> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  const create = async (path: string, body: object) =>
    (await call<{ id: string }>(gateway, 'POST', path, { token, body })).id;
  const ofCart = await create('/v1/categories', { name: 'In the cart', position: 91 });
  const others = await create('/v1/categories', { name: 'In no cart', position: 92 });
  const numbers = Array.from({ length: productCount }, (_, at) => at);
  const productIds = await inParallel(numbers, (at) =>
    create('/v1/products', {
      sku: `CART-${at}`,
      name: `Tea for the cart ${at}`,
      categoryIds: [at < productCount / 2 ? ofCart : others],
      price: euros(500 + at * 37),
      stock: 1_000_000,
    }),
  );
  const lines = productIds.slice(0, cartLines).map((productId, at) => ({ productId, quantity: (at % 3) + 1 }));
  const cart = { lines, shipping: euros(495) };
  await untilKnown(gateway, productIds);
  return { productIds, categories: { ofCart, others }, cart };
}

/** The copies of the catalog's products come by events. */
async function untilKnown(gateway: string, productIds: readonly string[]): Promise<void> {
  const deadline = performance.now() + copiesDeadlineMs;
  for (let from = 0; from < productIds.length;) {
    const lines = productIds.slice(from, from + 100).map((productId) => ({ productId, quantity: 1 }));
    const isKnown = await call(gateway, 'POST', '/v1/discounts/evaluate', { body: { lines } }).then(
      () => true,
      (error: unknown) => {
        if (performance.now() > deadline) throw error;
        return false;
      },
    );
    if (isKnown) from += lines.length;
    else await wait(200);
  }
}

/** The content of a campaign without its name. */
export type CampaignContent = Readonly<Record<string, unknown>>;

/** Campaigns of all types that match the cart; each takes a little off, so that all of them apply together. */
export function matching({ productIds, categories }: DiscountShop, count: number): CampaignContent[] {
  return mixed(count, (at) =>
    at % 2 === 0 ? { categories: [categories.ofCart] } : { products: productIds.slice(0, (at % cartLines) + 1) },
  );
}

/** Campaigns of the same types for products that are not in the cart. */
export function others({ productIds, categories }: DiscountShop, count: number): CampaignContent[] {
  const half = productCount / 2;
  return mixed(count, (at) =>
    at % 2 === 0
      ? { categories: [categories.others] }
      : { products: productIds.slice(half + (at % half), half + (at % half) + 10) },
  );
}

function mixed(count: number, itemsOf: (at: number) => Selector): CampaignContent[] {
  return Array.from({ length: count }, (_, at) => {
    const items = itemsOf(at);
    const discounts = [
      { type: 'percentage', percent: 1, target: 'items', items },
      { type: 'fixed-amount', amount: euros(20 + at), target: 'items', items },
      { type: 'percentage', percent: 0.5, target: 'order', items, maximumAmount: euros(500) },
      {
        type: 'buy-x-get-y',
        buy: { quantity: 2, items },
        get: { quantity: 1, items, percent: 5 },
        maximumApplications: 2,
      },
      { type: 'fixed-amount', amount: euros(15 + at), target: 'order', items },
    ];
    return {
      discount: discounts[at % discounts.length],
      priority: at,
      conditions: at % 4 === 0 ? { minimumSubtotal: euros(1000) } : {},
      limits: {
        ...(at % 3 === 0 ? { total: 1_000_000_000 } : {}),
        ...(at % 5 === 0 ? { budget: euros(900_000_000) } : {}),
        ...(at % 7 === 0 ? { perUser: 1_000_000 } : {}),
      },
    };
  });
}

/** Creates and activates campaigns, automatic ones where there is no code. Returns their ids. */
export async function addCampaigns(
  { gateways, accounts }: StackProcess,
  contents: readonly CampaignContent[],
  code?: string,
): Promise<string[]> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  const numbers = contents.map((_, at) => at);
  return inParallel(numbers, async (at) => {
    const campaign = { name: `Campaign ${at}`, trigger: code === undefined ? 'automatic' : 'code', ...contents[at] };
    const { id } = await call<{ id: string }>(gateway, 'POST', '/v1/campaigns', { token, body: campaign });
    if (code !== undefined)
      await call(gateway, 'POST', `/v1/campaigns/${id}/codes`, { token, body: { codes: [code] } });
    await call(gateway, 'POST', `/v1/campaigns/${id}/activate`, { token });
    return id;
  });
}

/** Ends all campaigns that run, those of the demo shop too. */
export async function endCampaigns({ gateways, accounts }: StackProcess): Promise<void> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  for (const status of ['active', 'scheduled', 'paused']) {
    const list = `/v1/campaigns?limit=100&status=${status}`;
    for (;;) {
      const { data } = await call<{ data: { id: string }[] }>(gateway, 'GET', list, { token });
      if (data.length === 0) break;
      await inParallel(data, ({ id }) => call(gateway, 'POST', `/v1/campaigns/${id}/end`, { token }));
    }
  }
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atATime)
    results.push(...(await Promise.all(items.slice(from, from + atATime).map((item) => work(item)))));
  return results;
}
