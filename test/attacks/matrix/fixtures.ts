import { eventually } from '@storefront/testing';
import { applyForTrade, expectStatus, judge, logIn, signUp, type Person } from '../system/people.ts';
import type { System } from '../system/system.ts';

/** Everybody who calls, and the shop they call at. */
export interface Fixtures {
  readonly system: System;
  readonly owner: Person;
  readonly stranger: Person;
  readonly trade: Person;
  /** Another approved trade account. */
  readonly otherTrade: Person;
  /** The token was issued before the suspension. */
  readonly suspended: Person;
  /** Was asked for more: the session may submit the application again and log out, nothing else. */
  readonly applicant: Person;
  /** Has no token: the login is refused. */
  readonly pending: { readonly id: string; readonly email: string; readonly password: string };
  readonly admin: Person;
  readonly productId: string;
  readonly categoryId: string;
  /** An invoice of the trade account. */
  readonly invoiceId: string;
}

export async function makeFixtures(system: System): Promise<Fixtures> {
  const admin = await logIn(system, system.admin);
  const [owner, stranger] = await Promise.all([signUp(system, 'owner'), signUp(system, 'stranger')]);
  const approved = await applyForTrade(system, admin, 'approved');
  const suspended = await applyForTrade(system, admin, 'suspended');
  const other = await applyForTrade(system, admin, 'other');
  const asked = await applyForTrade(system, admin, 'asked');
  const pending = await applyForTrade(system, admin, 'pending');
  await judge(system, admin, approved.id, 'approve');
  await judge(system, admin, suspended.id, 'approve');
  await judge(system, admin, other.id, 'approve');
  const dead = await logIn(system, suspended);
  await judge(system, admin, suspended.id, 'suspend');
  await judge(system, admin, asked.id, 'request-info');
  const { productId, categoryId } = await makeShop(system, admin);
  for (const { id } of [approved, other]) await grantCredit(system, admin, id);
  return {
    system,
    owner,
    stranger,
    trade: await logIn(system, approved),
    otherTrade: await logIn(system, other),
    suspended: dead,
    applicant: await logIn(system, asked),
    pending,
    admin,
    productId,
    categoryId,
    invoiceId: await newInvoiceFor({ system, admin }, approved),
  };
}

/** Lets a trade account owe any amount, once billing has heard of it. */
async function grantCredit(system: System, { token }: Person, id: string): Promise<void> {
  const body = { limit: null, termsDays: 30, hold: false };
  await eventually(
    async () => (await system.call('PUT', `/v1/trade-accounts/${id}/credit`, { token, body })).status === 200,
    'the trade account to be known to billing',
  );
}

/** Issues an invoice to a trade account; returns its id. */
export async function newInvoiceFor(
  { system, admin: { token } }: Pick<Fixtures, 'system' | 'admin'>,
  { id: accountId }: { readonly id: string },
): Promise<string> {
  const unitPrice = { amount: 1099, currency: 'EUR' };
  const body = { accountId, lines: [{ description: 'Mugs', quantity: 3, unitPrice, taxRate: 19 }] };
  return (await expectStatus(system.call('POST', '/v1/invoices', { token, body }), 201)).id as string;
}

async function makeShop(system: System, { token }: Person): Promise<{ productId: string; categoryId: string }> {
  const category = await expectStatus(system.call('POST', '/v1/categories', { token, body: { name: 'Mugs' } }), 201);
  const product = await expectStatus(
    system.call('POST', '/v1/products', { token, body: { ...newProduct(), stock: 1000, categoryIds: [category.id] } }),
    201,
  );
  await eventually(
    async () =>
      (await system.call('POST', '/v1/wishlist/items', { token, body: { productId: product.id } })).status === 201,
    'the product to be known to wishlists',
  );
  const cart = { lines: [{ productId: product.id, quantity: 1 }] };
  await eventually(
    async () => (await system.call('POST', '/v1/discounts/evaluate', { body: cart })).status === 200,
    'the price of the product to be known to discounts',
  );
  return { productId: product.id as string, categoryId: category.id as string };
}

/** Those who come, leave something of them, and go for good. */
export const leavers: Readonly<Record<string, (fixtures: Fixtures) => Promise<Person>>> = {
  'a consumer': async ({ system }) => settled(system, await signUp(system, 'leaver')),
  'a trade account': async ({ system, admin }) => {
    const applied = await applyForTrade(system, admin, 'leaver');
    await judge(system, admin, applied.id, 'approve');
    return settled(system, await logIn(system, applied));
  },
};

async function settled(system: System, person: Person): Promise<Person> {
  const { token } = person;
  const address = { contactPhone: '+31201234567', homeAddress: 'Keizersgracht 1', city: 'Amsterdam', country: 'NL' };
  await expectStatus(system.call('POST', '/v1/users/me/addresses', { token, body: address }), 201);
  const recipient = { firstName: 'Charles', lastName: 'Babbage' };
  await expectStatus(system.call('POST', '/v1/customers', { token, body: recipient }), 201);
  return person;
}

export function newProduct() {
  return {
    sku: `SKU-${process.hrtime.bigint()}`,
    name: 'A mug',
    price: { amount: 1999, currency: 'EUR' },
    tradePrice: { amount: 999, currency: 'EUR' },
    stock: 10,
  };
}
