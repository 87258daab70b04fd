import { later, minutes } from './demand.ts';
import { abandonCart, placeOrder } from './orders.ts';
import type { Random } from './random.ts';
import { campaignFor } from './redemptions.ts';
import { searches, type HistoryCampaign, type HistoryProduct, type HistoryShop } from './shop.ts';
import type { Story } from './story.ts';
import { wishFor } from './wishes.ts';

interface Visit {
  readonly at: Date;
  readonly shop: HistoryShop;
  /** The campaigns that are advertised at the time. */
  readonly pushed: readonly HistoryCampaign[];
}

/** Somebody looks around, and may come as far as the checkout. Only users wish and order. */
export function visitShop(story: Story, { at, shop, pushed }: Visit): void {
  const { random, segment, tell } = story;
  const isUser = segment !== 'guest';
  let now = at;
  const pass = (most: number) => (now = later(now, minutes(random.between(0.1, most))));

  if (random.happens(0.35)) {
    const search = pick(searches, random);
    tell('search-performed', now, search);
    // Who finds nothing often leaves.
    if (search.results === 0 && random.happens(0.4)) return;
  }
  const viewed = new Set<HistoryProduct>();
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const product = pick(shop.products, random);
    viewed.add(product);
    if (product.categoryId !== null && random.happens(0.3))
      tell('category-viewed', pass(2), { categoryId: product.categoryId });
    tell('product-viewed', pass(4), { productId: product.id });
  }
  if (isUser && random.happens(0.2)) wishFor(story, pass(2), pick([...viewed], random), shop);
  if (!random.happens(isUser ? 0.5 : 0.12)) return;

  tell('cart-updated', pass(3), {});
  if (!random.happens(0.7)) return;
  tell('checkout-started', pass(4), {});
  if (!isUser) return;
  const quantity = () => (segment === 'trade' ? 6 + random.below(30) : 1 + random.below(3));
  const lines = Array.from(viewed, (product) => ({ product, quantity: quantity() }));
  const cart = { lines, campaign: campaignFor(story, shop, pushed) };
  if (random.happens(0.75)) placeOrder(story, pass(6), cart, shop);
  else abandonCart(story, pass(6), cart, shop);
}

/** What is in front is picked most often. */
function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(items.length * random.next() ** 2)];
  if (item === undefined) throw new Error('there must be something to pick');
  return item;
}
