import { days, later } from './demand.ts';
import { sendMessage } from './messages.ts';
import { placeOrder } from './orders.ts';
import type { HistoryProduct, HistoryShop } from './shop.ts';
import type { Story } from './story.ts';

/** A product goes onto the wishlist. Later it may be ordered, cost less, or be removed. */
export function wishFor(story: Story, at: Date, product: HistoryProduct, shop: HistoryShop): void {
  const { random, tell } = story;
  const productId = product.id;
  const order = (when: Date) => placeOrder(story, when, { lines: [{ product, quantity: 1 }], campaign: null }, shop);

  tell('wishlist-item-added', at, { productId });
  const next = later(at, days(random.between(2, 45)));
  const draw = random.next();
  if (draw < 0.15) order(next);
  else if (draw < 0.4) {
    const alert = random.happens(0.7) ? 'price-drop' : 'back-in-stock';
    tell('wishlist-alert-raised', next, { productId, alert });
    sendMessage(story, next, { channel: 'IN_APP', category: 'wishlist' });
    if (random.happens(0.4)) order(later(next, days(random.between(0.01, 9))));
  } else if (draw < 0.55) tell('wishlist-item-removed', next, { productId });
}
