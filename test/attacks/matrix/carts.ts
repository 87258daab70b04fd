import { newId, type ordersHttp } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { expectStatus, type Person } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

const price = { amount: 495, currency: 'EUR' };
const option = { name: 'Parcel', countries: ['DE', 'NL'], price, freeFrom: null, deliveryDays: { min: 2, max: 4 } };

async function newOption({ system, admin: { token } }: Fixtures): Promise<string> {
  return (await expectStatus(system.call('POST', '/v1/shipping-options', { token, body: option }), 201)).id as string;
}

/** A cart of nobody with a line, an option and a country; with the id of the variant in it. */
async function newCart({ system, productId }: Fixtures): Promise<[cartId: string, variantId: string]> {
  const body = { lines: [{ productId, quantity: 1 }] };
  const made = await eventually(async () => {
    const answer = await system.call('POST', '/v1/carts', { body });
    return answer.status === 201 ? answer.body : undefined;
  }, 'the product to be known to carts');
  return [made.id as string, made.lines[0].variantId as string];
}

const cart = id('cart', async (fixtures) => (await newCart(fixtures))[0]);
const line: Id = {
  own: (fixtures) => newCart(fixtures),
  random: () => [newId('cart'), newId('var')],
  missing: 'not_found',
};
/** With an option and a country. */
export const readyCart = id('cart', async (fixtures) => {
  const [cartId] = await newCart(fixtures);
  const body = { shippingOptionId: await newOption(fixtures), country: 'NL' };
  await expectStatus(fixtures.system.call('PATCH', `/v1/carts/${cartId}`, { body }), 200);
  return cartId;
});
const shippingOption = id('shopt', (fixtures: Fixtures, _who: Person) => newOption(fixtures));

type Operations = typeof ordersHttp.cartOperations &
  typeof ordersHttp.shippingOptionOperations &
  typeof ordersHttp.taxRateOperations;

/** Whoever has the id of a cart has the cart, so there is none that is foreign. */
export const cartRows: RowsOf<Operations> = {
  // Nobody who calls has a cart yet.
  getMyCart: { access: 'user', ok: [404, 'not_found'] },
  createCart: { access: 'public', ok: 201, body: ({ productId }) => ({ lines: [{ productId, quantity: 2 }] }) },
  // There is no such cart: its id would be a secret.
  mergeCart: { access: 'user', ok: [400, 'validation_failed'], body: () => ({ cartId: newId('cart') }) },
  getCart: { access: 'public', ok: 200, id: cart },
  changeCart: {
    access: 'public',
    ok: 200,
    id: cart,
    body: () => ({ codes: ['SPRING26'], note: 'Ring twice.', country: 'NL', shippingOptionId: null }),
  },
  setCartLine: { access: 'public', ok: 200, id: line, body: () => ({ quantity: 3 }) },
  removeCartLine: { access: 'public', ok: 200, id: line },
  listCartShippingOptions: { access: 'public', ok: 200, id: cart, query: 'country=NL' },
  quoteCart: {
    access: 'public',
    ok: 200,
    id: readyCart,
    body: () => ({ evaluation: { lines: [], shippingDiscount: price } }),
  },
  listShippingOptions: { access: 'staff', roles: ['sales', 'support'], ok: 200 },
  createShippingOption: { access: 'staff', roles: ['sales'], ok: 201, body: () => option },
  getShippingOption: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: shippingOption },
  changeShippingOption: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    id: shippingOption,
    body: () => ({ ...option, tiers: ['trade'], active: false }),
  },
  deleteShippingOption: { access: 'staff', roles: ['sales'], ok: 204, id: shippingOption },
  getTaxRates: { access: 'staff', roles: ['sales', 'support'], ok: 200 },
  putTaxRates: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    body: () => ({ rates: [{ country: 'DE', standard: 19, reduced: 7, zero: 0 }] }),
  },
};
