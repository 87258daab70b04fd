import { identityEvents, newId, ordersEvents, type Reading } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const secret = 'q8N5cWb0vYz3kL7mT1xR4gq8N5cWb0vYz3kL7mT1xR4';
const orderId = newId('ord');
const order = {
  kind: 'confirmed' as const,
  number: 'ORD-2026-000123',
  userId: null,
  email: 'guest@example.com',
  locale: null,
  name: 'Visit evil example',
  currency: 'EUR',
  lines: [{ name: 'A mug', sku: 'MUG-1', quantity: 2, unitPrice: 1250 }],
  tracking: null,
  refund: null as number | null,
  totals: { subtotal: 2500, discount: 250, shipping: 495, tax: 438, total: 2745 },
  taxIncluded: true,
  payment: 'card' as const,
  orderSecret: null,
};
const progressed = (more: object) => service.event(ordersEvents.orderProgressed, orderId, { ...order, ...more });

const snapshotOf = (id: string, email: string, reading: Reading = {}) =>
  service.event(identityEvents.userSnapshot, id, {
    email,
    firstName: 'Ada',
    lastName: 'Lovelace',
    ...reading,
    role: 'retail',
  });
const sealed = async () => (await service.sealed(null, 0, secret)).sealedCode;
const shownTo = async (sub: string) =>
  (await service.request({ sub, role: 'retail', sid: 'sess_test', ver: 1 }, 'GET', '/v1/notifications')).body.data;

describe('what happened to an order', () => {
  it('is one mail and one notification to its user, by what is known of the user, however often it comes', async () => {
    const userId = newId('user');
    const email = 'ada@example.com';
    const event = progressed({ userId, email: null, locale: 'en' });
    await service.publish(event);
    // The event was there before the user was known.
    await service.publish(snapshotOf(userId, email, { locale: 'de' }));
    await service.delivered(email);
    await service.publish(event, event);
    await service.idle();
    const [mail, ...others] = service.mails.to(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Ihre Bestellung ORD-2026-000123');
    expect(mail?.text).toContain('Guten Tag, Ada!');
    expect(mail?.text).toContain(`https://shop.example/orders/${orderId}\n`);
    expect(mail?.text).toMatch(/Gesamtbetrag: 27,45\s€\nEnthaltene Steuer: 4,38\s€\nZahlung: Mit Karte/);
    expect(await shownTo(userId)).toMatchObject([
      {
        type: 'order-confirmed',
        title: 'Ihre Bestellung ORD-2026-000123',
        data: { orderId, number: 'ORD-2026-000123' },
      },
    ]);
  });

  it.each([
    ['confirmed', 'Your order ORD-2026-000123'],
    ['payment-failed', 'The payment for your order did not go through'],
    ['cancelled', 'Your order ORD-2026-000123 was cancelled'],
    ['shipped', 'Your order ORD-2026-000123 is on its way'],
    ['delivered', 'Your order ORD-2026-000123 was delivered'],
    ['reduced', 'A part of your order ORD-2026-000123 was cancelled'],
    ['refunded', 'A refund for your order ORD-2026-000123'],
    ['returned', 'Your return of order ORD-2026-000123 has arrived'],
  ] as const)(
    'is a mail to a guest, with the secret in its link and nothing that was typed: %s',
    async (kind, subject) => {
      const email = `${kind}@example.com`;
      await service.publish(
        progressed({ kind, email, refund: kind === 'refunded' ? 500 : null, orderSecret: await sealed() }),
      );
      const delivery = await service.delivered(email);
      const [mail] = service.mails.to(email);
      expect(mail?.subject).toBe(subject);
      expect(mail?.text).toContain(`https://shop.example/orders/${orderId}#secret=${secret}\n`);
      expect(mail?.text).toMatch(/^Hello,\n/);
      expect(mail?.text).not.toContain('evil');
      // A guest has nowhere to choose which mails to get.
      expect(mail?.text).not.toContain('/notifications/preferences');
      expect(mail?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
      expect(delivery).toMatchObject({ userId: null, segment: 'guest', code: null, mail: null });
      expect(JSON.stringify([delivery, service.lines])).not.toContain(secret);
    },
  );

  it('is written in the language of the order, where mails have it', async () => {
    await service.publish(
      progressed({ email: 'german@example.com', locale: 'de' }),
      progressed({ email: 'french@example.com', locale: 'fr', number: null, kind: 'cancelled' }),
    );
    await Promise.all(['german', 'french'].map((name) => service.delivered(`${name}@example.com`)));
    expect(service.mails.to('german@example.com')[0]?.subject).toBe('Ihre Bestellung ORD-2026-000123');
    expect(service.mails.to('french@example.com')[0]?.subject).toBe('Your order was cancelled');
  });

  it('is told to nobody who was erased, nor to who has switched such mails off', async () => {
    const [erased, silent, last] = [newId('user'), newId('user'), newId('user')];
    const emailOf = (id: string) => `${id}@example.com`;
    await service.publish(...[erased, silent, last].map((id) => snapshotOf(id, emailOf(id))));
    await service.idle();
    const who = { sub: silent, role: 'retail', sid: 'sess_test', ver: 1 } as const;
    const chosen = { types: { orders: { EMAIL: false } } };
    expect((await service.request(who, 'PUT', '/v1/notifications/preferences', chosen)).status).toBe(200);
    await service.publish(
      service.event(identityEvents.userErasureRequested, erased, { email: emailOf(erased), role: 'retail' }),
    );
    await eventually(() => service.collection('erased_users').findOne(), 'the erasure');
    await service.publish(...[erased, silent, last].map((userId) => progressed({ userId })));
    await service.delivered(emailOf(last));
    await service.idle();
    expect(await service.deliveries.countDocuments({ userId: erased })).toBe(0);
    expect(service.mails.to(emailOf(silent))).toEqual([]);
    expect(await shownTo(silent)).toHaveLength(1);
  });
});
