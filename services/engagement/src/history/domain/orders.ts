import { later } from './demand.ts';
import { invoiceOrder } from './invoices.ts';
import { sendMessage } from './messages.ts';
import { redeem } from './redemptions.ts';
import type { HistoryCampaign, HistoryProduct, HistoryShop } from './shop.ts';
import type { Story } from './story.ts';

interface Cart {
  /** Of each product one. */
  readonly lines: readonly { readonly product: HistoryProduct; readonly quantity: number }[];
  readonly campaign: HistoryCampaign | null;
}

/** The person of the story, a user, orders the cart; a business gets an invoice. */
export function placeOrder(story: Story, at: Date, { lines, campaign }: Cart, { currency }: HistoryShop): void {
  const { random, segment, tell } = story;
  const priced = pricedLines(story, lines);
  const gross = priced.reduce((sum, { revenue }) => sum + revenue, 0);
  const units = priced.reduce((sum, line) => sum + line.units, 0);
  const discount = campaign ? redeem(story, at, { gross, campaign, currency, isAbandoned: false }) : 0;
  const net = gross - discount;
  const orderedAt = later(at, 1000);
  tell('order-placed', orderedAt, { currency, sale: { units, gross, discount, net }, lines: priced });
  sendMessage(story, orderedAt, { channel: 'EMAIL', category: 'orders' });
  if (random.happens(0.7)) sendMessage(story, orderedAt, { channel: 'IN_APP', category: 'orders' });
  if (segment === 'trade') invoiceOrder(story, orderedAt, { net, currency });
}

/** The person takes the discount for a cart and does not order it. */
export function abandonCart(story: Story, at: Date, { lines, campaign }: Cart, { currency }: HistoryShop): void {
  if (!campaign) return;
  const gross = pricedLines(story, lines).reduce((sum, { revenue }) => sum + revenue, 0);
  redeem(story, at, { gross, campaign, currency, isAbandoned: true });
}

function pricedLines({ segment }: Story, lines: Cart['lines']) {
  return lines.map(({ product, quantity }) => {
    const price = segment === 'trade' ? product.tradePrice : product.price;
    return { productId: product.id, units: quantity, revenue: quantity * price };
  });
}
