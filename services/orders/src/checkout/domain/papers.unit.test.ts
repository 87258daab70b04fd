import { calendarOf } from '@storefront/calendar';
import { newId } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { address, asked, placedOrder } from '../../../test/placed-order.ts';
import { ship } from './fulfilment.ts';
import type { Order } from './order.ts';
import { confirmationOf, packingSlipOf, type PaperSettings } from './papers.ts';

const seller = { businessName: 'Tea Ltd', address: 'Marktplatz 5', country: 'DE', vatNumber: 'DE987654321' };
const settings: PaperSettings = { seller, locale: 'de', calendar: calendarOf('Pacific/Auckland') };

it('confirms what was ordered, with prices as the buyer has seen them', () => {
  const quantities = [2, 1];
  const retail = placedOrder({ quantities, taxRates: [1900, 700], discounts: [300, 0] });
  const company = { ...address, company: 'Analytical Engines Ltd', state: 'NH' };
  expect(confirmationOf({ ...retail, billingAddress: company, locale: 'en' }, settings)).toMatchObject({
    locale: 'en',
    number: 'ORD-2026-000001',
    placedOn: '2026-11-27',
    seller,
    buyer: { businessName: 'Analytical Engines Ltd', address: 'Ada Lovelace\nKeizersgracht 1\nAmsterdam\nNH' },
    recipient: { businessName: 'Ada Lovelace', address: 'Keizersgracht 1\nAmsterdam', country: 'NL' },
    payment: 'card',
    lines: [
      { quantity: 2, unitPrice: 1000, discount: 300, taxRate: 19, amount: 1700 },
      { quantity: 1, unitPrice: 1000, discount: 0, taxRate: 7, amount: 1000 },
    ],
    taxes: [
      { rate: 19, net: 1849, tax: 351 },
      { rate: 7, net: 935, tax: 65 },
    ],
    total: 3200,
  });
  const trade = placedOrder({ quantities, taxRates: [1900, 700], tier: 'trade' });
  expect(confirmationOf(trade, settings)).toMatchObject({
    locale: 'de',
    lines: [{ amount: 2000 }, { amount: 1000 }],
    taxes: [
      { rate: 19, net: 2500, tax: 475 },
      { rate: 7, net: 1000, tax: 70 },
    ],
    total: 4045,
  });
});

it('packs what a shipment has, or what is left to ship', () => {
  const order = placedOrder({ quantities: [3, 2] });
  const id = newId('shpm');
  const given = { lines: [{ lineId: '1', quantity: 2 }], carrier: 'DHL', trackingNumber: 'JJD-7' };
  const shipped = ship(order, { id, given }, asked)?.order as Order;
  const slip = packingSlipOf(shipped, id, settings);
  expect(slip).toMatchObject({
    shippingOption: 'Parcel',
    shipment: { shippedOn: '2026-11-27', carrier: 'DHL', trackingNumber: 'JJD-7' },
    lines: [{ sku: 'MUG', name: 'Mug', quantity: 2 }],
  });
  expect(JSON.stringify(slip)).not.toContain('unitPrice');
  expect(packingSlipOf(shipped, undefined, settings)).toMatchObject({
    shipment: null,
    lines: [{ quantity: 1 }, { quantity: 2 }],
  });
  const all = ship(shipped, { id: newId('shpm'), given: {} }, asked)?.order as Order;
  expect(() => packingSlipOf(all, undefined, settings)).toThrow(/Nothing of this order is left to ship/);
  expect(() => packingSlipOf(all, newId('shpm'), settings)).toThrow(/shipment/);
});

it.each(['awaiting-payment', 'cancelled'] as const)('makes no papers of an order that is %s', (status) => {
  const order: Order = { ...placedOrder({ quantities: [1] }), status };
  expect(() => confirmationOf(order, settings)).toThrow(`This order is ${status}`);
  expect(() => packingSlipOf(order, undefined, settings)).toThrow(`This order is ${status}`);
});
