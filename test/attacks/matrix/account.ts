import { newId, type accountOperations } from '@storefront/contracts';
import { randomBytes } from 'node:crypto';
import { expectStatus, type Person } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

const newAddress = () => ({
  contactPhone: '+31 20 123 4567',
  homeAddress: 'Keizersgracht 1',
  state: 'Noord-Holland',
  city: 'Amsterdam',
  country: 'NL',
  isDefault: true,
});
const newCustomer = () => ({
  firstName: 'Mary',
  lastName: 'Somerville',
  email: 'mary@example.com',
  phone: '+31 20 123 4567',
  address: { homeAddress: 'Keizersgracht 1', state: null, city: 'Amsterdam', country: 'NL' },
  note: 'Rings twice.',
});

const create = async ({ system }: Fixtures, { token }: Person, path: string, body: object): Promise<any> =>
  expectStatus(system.call('POST', path, { token, body }), 201);

const address = id(
  'addr',
  async (fixtures, who) => (await create(fixtures, who, '/v1/users/me/addresses', newAddress())).id,
);
const customer = id('cust', async (fixtures, who) => (await create(fixtures, who, '/v1/customers', newCustomer())).id);
const wish = id('wli', async ({ system, productId }, { token }) => {
  const { body } = await system.call('POST', '/v1/wishlist/items', { token, body: { productId } });
  return body.id as string;
});
const link: Id = {
  own: async ({ system }, { token }) => {
    const made = await expectStatus(system.call('POST', '/v1/wishlist/share', { token }), 201);
    return made.token as string;
  },
  random: () => randomBytes(32).toString('base64url'),
  missing: 'not_found',
};

export const accountRows: RowsOf<typeof accountOperations> = {
  listAddresses: { access: 'user', ok: 200 },
  getAddress: { access: 'user', ok: 200, id: address },
  addAddress: { access: 'user', ok: 201, body: newAddress },
  changeAddress: { access: 'user', ok: 200, id: address, body: newAddress },
  deleteAddress: { access: 'user', ok: 204, id: address },
  listCustomers: { access: 'user', ok: 200 },
  getCustomer: { access: 'user', ok: 200, id: customer },
  addCustomer: { access: 'user', ok: 201, body: newCustomer },
  changeCustomer: { access: 'user', ok: 200, id: customer, body: newCustomer },
  deleteCustomer: { access: 'user', ok: 204, id: customer },
  getWishlist: { access: 'user', ok: 200 },
  getWishlistInsights: { access: 'user', ok: 200 },
  removeWishlistItem: { access: 'user', ok: 200, id: wish },
  removeWishlistItems: { access: 'user', ok: 200, query: `productId=${newId('prod')}&variantId=${newId('var')}` },
  clearWishlist: { access: 'user', ok: 200 },
  // After the list was emptied, so that the item is a new one.
  addWishlistItem: { access: 'user', ok: 201, body: ({ productId }) => ({ productId }) },
  mergeWishlist: { access: 'user', ok: 200, body: ({ productId }) => ({ items: [{ productId }] }) },
  shareWishlist: { access: 'user', ok: 201 },
  getSharedWishlist: { access: 'public', ok: 200, id: link, anew: true },
  unshareWishlist: { access: 'user', ok: 204 },
};
