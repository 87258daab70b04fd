import { setTimeout as wait } from 'node:timers/promises';
import { eventTimeoutMs, type DemoApi } from './demo-api.ts';
import { StackError } from './error.ts';

const addresses = [
  { contactPhone: '020 123 4567', homeAddress: 'Keizersgracht 123', city: 'Amsterdam', country: 'NL', isDefault: true },
  { contactPhone: '030 901820', homeAddress: 'Torstraße 6, 2. Hof', city: 'Berlin', country: 'DE' },
  {
    contactPhone: '020 7946 0321',
    homeAddress: '14 Lamb Street',
    state: 'Greater London',
    city: 'London',
    country: 'GB',
  },
];

const recipients = [
  {
    firstName: 'Marijke',
    lastName: 'de Vries',
    email: 'marijke@example.net',
    address: { homeAddress: 'Oudegracht 88', city: 'Utrecht', country: 'NL' },
    note: 'Likes her coffee dark.',
  },
  { firstName: 'Jonas', lastName: 'Weber', phone: '+49 30 901821', note: 'Birthday in March.' },
  { firstName: 'Priya', lastName: 'Shah', email: 'priya@example.net' },
];

const wishedSkus = new Set(['BREW-001', 'LEAF-001', 'WARE-001', 'TEX-001']);

/**
 * Adds addresses, saved recipients and a wishlist to an account. Addresses and recipients are not added where the
 * account already has some.
 */
export async function fillAccount(api: DemoApi, token: string): Promise<void> {
  await Promise.all([
    fill(api, '/v1/users/me/addresses', addresses, token),
    fill(api, '/v1/customers', recipients, token),
    fillWishlist(api, token),
  ]);
}

/** Creates the entries one by one, because lists show entries in the order of creation. */
async function fill(
  api: DemoApi,
  path: string,
  entries: readonly Record<string, unknown>[],
  token: string,
): Promise<void> {
  const { data } = await api.get(path, token);
  if ((data as unknown[]).length > 0) return;
  for (const entry of entries) await api.post(path, entry, token);
}

async function fillWishlist(api: DemoApi, token: string): Promise<void> {
  const { data } = await api.get('/v1/products?limit=100');
  const items = (data as { id: string; sku: string }[])
    .filter(({ sku }) => wishedSkus.has(sku))
    .map(({ id: productId }) => ({ productId }));
  const deadline = Date.now() + eventTimeoutMs;
  // The account service knows a new product only after it has received the product's event.
  for (;;) {
    const { unknown } = await api.post('/v1/wishlist/merge', { items }, token);
    if ((unknown as unknown[]).length === 0) return;
    if (Date.now() > deadline)
      throw new StackError('The demo data could not be made: account does not receive new products. Use --empty.');
    await wait(50);
  }
}
