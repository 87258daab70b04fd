import { accountEvents, identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const euros = (amount: number) => ({ amount, currency: 'EUR' });
let made = 0;

/** A user whose email is known. */
async function reader() {
  made += 1;
  const email = `reader${made}@example.com`;
  const who = { sub: newId('user'), role: 'retail', sid: 'sess_test', ver: 1 } as const;
  const named = { email, firstName: 'Ada', lastName: 'Lovelace', role: 'retail' as const };
  await service.publish(service.event(identityEvents.userVerified, who.sub, named));
  await service.delivered(email);
  return { who, email };
}

interface More {
  readonly kind?: 'price-drop' | 'back-in-stock';
  readonly was?: null;
  readonly variantId?: string;
  readonly values?: string[];
}
const alert = (userId: string, more: More = {}) =>
  service.event(accountEvents.wishlistAlertRaised, userId, {
    userId,
    kind: 'price-drop',
    productId: 'prod_1',
    productName: 'Blue <Mug>',
    tier: 'trade',
    was: euros(1999),
    now: euros(1250),
    ...more,
  });
const shown = async (who: Awaited<ReturnType<typeof reader>>['who'], type: string) =>
  (await service.request(who, 'GET', `/v1/notifications?type=${type}`)).body.data;
const mailed = (address: string, subject: string) =>
  service.mails.to(address).filter((mail) => mail.subject === subject);

it('a lower price is a notification and a mail, once, in the prices of the alert', async () => {
  const { who, email } = await reader();
  const raised = alert(who.sub);
  await service.publish(raised, raised);
  await eventually(() => mailed(email, 'Blue <Mug> costs less').length > 0, 'the mail');
  await service.publish(raised);
  expect(await shown(who, 'price-drop')).toEqual([
    {
      id: expect.stringMatching(/^ntf_/),
      type: 'price-drop',
      title: 'Blue <Mug> costs less',
      body: 'Blue <Mug> from your wishlist now costs €12.50; before it was €19.99.',
      data: { productId: 'prod_1', productName: 'Blue <Mug>', was: euros(1999), now: euros(1250) },
      readAt: null,
      createdAt: expect.any(String),
    },
  ]);
  const [mail, second] = mailed(email, 'Blue <Mug> costs less');
  expect(second).toBeUndefined();
  expect(mail?.text).toContain('Blue <Mug> from your wishlist now costs €12.50; before it was €19.99.');
  expect(mail?.html).toContain('Blue &lt;Mug&gt; from your wishlist now costs €12.50');
});

it('a variant that is back in stock is announced by its options, with its price', async () => {
  const { who, email } = await reader();
  const variant = { variantId: 'var_1', values: ['M', 'glazed'] };
  await service.publish(alert(who.sub, { kind: 'back-in-stock', was: null, ...variant }));
  await eventually(() => mailed(email, 'Blue <Mug> (M, glazed) is back in stock').length > 0, 'the mail');
  expect(await shown(who, 'back-in-stock')).toMatchObject([
    {
      body: 'Blue <Mug> (M, glazed) from your wishlist is back in stock, at €12.50.',
      data: { productId: 'prod_1', variantId: 'var_1' },
    },
  ]);
});

it('an alert follows the preferences of the user', async () => {
  const { who, email } = await reader();
  await service.request(who, 'PUT', '/v1/notifications/preferences', { types: { wishlist: { EMAIL: false } } });
  await service.publish(alert(who.sub));
  await eventually(() => service.deliveries.findOne({ email, reason: 'switched_off_by_user' }), 'the record');
  expect(await shown(who, 'price-drop')).toHaveLength(1);
  await service.request(who, 'PUT', '/v1/notifications/preferences', { types: { wishlist: { IN_APP: false } } });
  await service.publish(alert(who.sub));
  await eventually(() => mailed(email, 'Blue <Mug> costs less').length === 1, 'the mail');
  expect(await shown(who, 'price-drop')).toHaveLength(1);
});

it('a user whose email is not known gets the notification only', async () => {
  const { ada } = service.people;
  await service.publish(alert(ada.sub));
  await eventually(async () => (await shown(ada as never, 'price-drop')).length === 1, 'the notification');
  expect(await service.deliveries.findOne({ userId: ada.sub })).toBeNull();
});

it('a left cart is one mail and one notification, only to users who want mail about offers, and not a day late', async () => {
  const [wants, silent] = [await reader(), await reader()];
  const choice = { types: { offers: { EMAIL: true } }, quietHours: null };
  expect((await service.request(wants.who, 'PUT', '/v1/notifications/preferences', choice)).status).toBe(200);
  const mug = {
    productId: 'prod_1',
    variantId: 'var_1',
    name: 'Mug, blue',
    sku: 'MUG-1',
    quantity: 2,
    unitPrice: 1250,
  };
  const cart = { currency: 'EUR', lines: [mug, { ...mug, name: 'Pot' }], subtotal: 5000 };
  const leave = (userId: string) => service.event(ordersEvents.cartLeft, userId, cart);
  const [event, late] = [leave(wants.who.sub), leave(wants.who.sub)];
  const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000).toISOString();
  await service.publish({ ...late, time: days(2) }, leave(silent.who.sub), leave(newId('user')), event, event);
  const subject = 'You left Mug, blue and 1 more in your cart';
  await eventually(() => mailed(wants.email, subject).length > 0, 'the mail about the cart');
  await service.publish(event);
  await service.idle();
  const [mail, ...others] = mailed(wants.email, subject);
  expect(others).toEqual([]);
  expect(mail?.text).toContain('2 × €12.50 · MUG-1');
  expect(mail?.text).toContain('https://shop.example/cart\n');
  expect(mail?.text).toContain('/v1/notifications/unsubscribe/');
  expect(await shown(wants.who, 'cart-left')).toMatchObject([{ title: subject, data: {} }]);
  expect(await shown(silent.who, 'cart-left')).toEqual([]);
  expect(service.mails.to(silent.email).filter((each) => each.subject === subject)).toEqual([]);
});
