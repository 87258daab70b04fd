import { accountEvents, identityEvents, newId } from '@storefront/contracts';
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
