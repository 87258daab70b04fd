import type { AdminClient } from '@storefront/client/admin';
import { staffAt } from '../people.ts';
import type { DemoShop } from './system.ts';

// What the staff of the shop does meanwhile.

const staffOf = ({ gateways, accounts }: DemoShop) => staffAt(gateways[0], accounts.admin);

async function userIdOf(admin: AdminClient, email: string): Promise<string> {
  const { data } = await admin.accounts.listUsers({ query: { q: email } });
  return data.find((account) => account.email === email)?.id ?? '';
}

/** Leaves so many of a product until the test has ended. */
export async function leaveInStock(shop: DemoShop, slug: string, count: number): Promise<AsyncDisposable> {
  const admin = await staffOf(shop);
  const { data } = await admin.products.listProducts({ query: { slug } });
  const { id = '', stock = 0 } = data[0] ?? {};
  const add = async (change: number) => {
    await admin.products.changeStock({ params: { id }, body: { change, reason: 'A test' } });
  };
  await add(count - stock);
  return { [Symbol.asyncDispose]: () => add(stock - count) };
}

/** Approves a trade account that has applied, and gives it credit. */
export async function approve(shop: DemoShop, email: string): Promise<void> {
  const admin = await staffOf(shop);
  const { data } = await admin.tradeAccounts.listTradeAccounts({ query: { status: 'pending-approval' } });
  const params = { id: data.find((account) => account.email === email)?.id ?? '' };
  await admin.tradeAccounts.approveTradeAccount({ params, body: {} });
  const terms = { limit: { amount: 100_000, currency: 'EUR' }, termsDays: 30, hold: false };
  await admin.invoicesOfAccounts.setCredit({ params, body: terms });
}

/** A notification to this account. */
export async function notify(shop: DemoShop, email: string | undefined, title: string): Promise<void> {
  const admin = await staffOf(shop);
  const userId = await userIdOf(admin, email ?? '');
  const body = { channel: 'IN_APP', userId, type: 'news', title, body: 'It has come.' } as const;
  await admin.notifications.sendNotification({ body });
}

/** A mail of the shop to this account, which has asked for such mails. */
export async function announce(shop: DemoShop, email: string): Promise<void> {
  const admin = await staffOf(shop);
  const userId = await userIdOf(admin, email);
  await admin.notifications.sendNotification({
    body: { channel: 'EMAIL', userId, email, category: 'marketing', subject: 'Spring', html: '<p>Tea</p>' },
  });
}

/** Ships all of an order. */
export async function ship(shop: DemoShop, orderId: string): Promise<void> {
  const admin = await staffOf(shop);
  await admin.orders.createShipment({ params: { id: orderId }, body: { carrier: 'DHL', trackingNumber: '00340434' } });
}
