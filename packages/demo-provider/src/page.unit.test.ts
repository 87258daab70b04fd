import { expect, it } from 'vitest';
import type { Delivery } from './delivery.ts';
import { newPayment } from './payment.ts';
import { paymentPage, refusedPage, stateText } from './page.ts';

const attack = `"><script>alert('1')</script>&`;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const delivery: Delivery = {
  id: 'delivery-1',
  eventId: 'evt_1',
  type: 'payment.succeeded',
  paymentId: 'pay_1',
  body: '{}',
  state: 'waiting',
  dueAt: 0,
  isHeld: false,
  attempts: [],
};

it('escapes everything that comes from outside', () => {
  const page = paymentPage({
    shopName: attack,
    amount: { amount: 1, currency: attack },
    purpose: [attack],
    returnUrl: attack,
    address: attack,
    payment: {
      ...newPayment('pay_1'),
      id: attack,
      captures: [{ reference: attack, amount: { amount: 5, currency: attack }, returned: 0, isDisputed: false }],
    },
    deliveries: [{ ...delivery, eventId: attack, type: attack, attempts: [{ at: 0, error: attack }] }],
    refusal: attack,
  });
  expect(page).not.toContain('<script>');
  expect(page).not.toContain(attack);
  expect(page.match(/&#34;&#62;&#60;script&#62;/g)?.length).toBeGreaterThan(10);
  expect(refusedPage(attack)).not.toContain('<script>');
});

it('has no script or style in itself, and a label for each field', () => {
  const page = paymentPage({
    shopName: 'The shop',
    amount: euros(12_000),
    purpose: ['INV-2026-000001', 'INV-2026-000002'],
    returnUrl: null,
    address: '/pay/pay_1?t=1',
    payment: {
      ...newPayment('pay_1'),
      captures: [
        { reference: 'ref-1', amount: euros(12_000), returned: 2000, isDisputed: false },
        { reference: 'ref-2', amount: euros(12_000), returned: 12_000, isDisputed: true },
      ],
    },
    deliveries: [delivery],
    refusal: null,
  });
  expect(page).not.toMatch(/ style=| on\w+=|<style/);
  expect(page).toContain('Pay 120.00 EUR');
  expect(page).toContain('INV-2026-000001, INV-2026-000002');
  expect(page).toContain('value="100.00"');
  const labelled = new Set(Array.from(page.matchAll(/<label for="([^"]+)"/g), ([, id]) => id));
  const fields = Array.from(page.matchAll(/<input\s+id="([^"]+)"/g), ([, id]) => id);
  expect(fields).toHaveLength(labelled.size);
  expect(fields.filter((id) => !labelled.has(id))).toEqual([]);
});

it.each<[Partial<Delivery>, RegExp]>([
  [{}, /^pending: sent at \d\d:\d\d:\d\d$/],
  [{ isHeld: true }, /^pending: waits for the next callback, until \d\d:\d\d:\d\d at most$/],
  [{ attempts: [{ at: 0, error: 'no' }] }, /^not delivered \(no\); tried again at \d\d:\d\d:\d\d$/],
  [{ state: 'delivered', attempts: [{ at: 0, status: 200 }] }, /^answered 200$/],
  [
    {
      state: 'delivered',
      attempts: [
        { at: 0, status: 503 },
        { at: 1, status: 200 },
      ],
    },
    /^answered 200 at attempt 2$/,
  ],
  [{ state: 'refused', attempts: [{ at: 0, status: 400 }] }, /^answered 400; not sent again$/],
  [{ state: 'given-up', attempts: [{ at: 0, status: 500 }] }, /^answered 500; given up after a day$/],
])('says of %j how it is', (changed, sentence) => {
  expect(stateText({ ...delivery, ...changed })).toMatch(sentence);
});
