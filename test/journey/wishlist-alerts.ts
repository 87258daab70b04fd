import { createClient, type Client } from '@storefront/client';
import type { AdminClient } from '@storefront/client/admin';
import type { Stack } from '@storefront/stack';
import { eventually } from '@storefront/testing';
import { expect, it } from 'vitest';
import { mailTo } from '../client.ts';
import { signUp, signUpTrade, staffAt } from '../people.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
let stack: Stack;
let mailbox: string;
let admin: AdminClient;

const shopOf = () => createClient({ baseUrl: stack.gateways[0] ?? '' });

interface Wisher {
  readonly email: string;
  readonly shop: Client;
}

async function retail(): Promise<Wisher> {
  const [email, shop] = ['robin@alerts.example', shopOf()];
  await signUp(shop, mailbox, email, { firstName: 'Robin', lastName: 'Retail' });
  return { email, shop };
}

async function trade(): Promise<Wisher> {
  const [email, shop] = ['toni@alerts.example', shopOf()];
  const named = { email, firstName: 'Toni', lastName: 'Trade', phone: '+31 20 123 4567' };
  const business = { businessName: 'Quay', businessAddress: 'Pier 4, Amsterdam, Netherlands' };
  await signUpTrade(shop, mailbox, admin, { ...named, ...business });
  return { email, shop };
}

async function mug(): Promise<string> {
  const prices = { price: euros(1999), tradePrice: euros(1500) };
  const body = { sku: 'MUG-1', name: 'Blue mug', ...prices, stock: 5, status: 'active' } as const;
  return (await admin.products.createProduct({ body })).id;
}

/** What people hear of who wish for a product. */
export function testWishlistAlerts(stackOf: () => Stack): void {
  it('notifies everybody who wishes for a product of its lower price, each in the prices they pay', async () => {
    stack = stackOf();
    mailbox = stack.mailbox ?? '';
    admin = await staffAt(stack.gateways[0], stack.accounts.admin);
    const [robin, toni, productId] = [await retail(), await trade(), await mug()];
    for (const { shop } of [robin, toni])
      await eventually(() => shop.wishlist.addWishlistItem({ body: { productId } }), 'account to know the product');
    const prices = { price: euros(1499), tradePrice: euros(1250) };
    await admin.products.changeProduct({ params: { id: productId }, body: prices });

    const wanted = [
      [robin, euros(1999), euros(1499), 'Blue mug from your wishlist now costs €14.99; before it was €19.99.'],
      [toni, euros(1500), euros(1250), 'Blue mug from your wishlist now costs €12.50; before it was €15.00.'],
    ] as const;
    for (const [{ email, shop }, was, now, body] of wanted) {
      const notified = await eventually(async () => {
        const { data } = await shop.notifications.listNotifications({ query: { type: 'price-drop' } });
        return data.length > 0 ? data : null;
      }, `the notification of ${email}`);
      expect(notified).toMatchObject([{ type: 'price-drop', body, data: { productId, was, now } }]);
      expect((await mailTo(mailbox, email, /costs less/)).Text).toContain(body);
    }
  });
}
