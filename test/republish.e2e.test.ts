import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { startStack } from '@storefront/stack';
import { eventually, freshDatabase, freshVhost, memoryLogger } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mergeLows } from '../services/account/src/domain/lows.ts';
import { patientClientOf, type Client } from './client.ts';
import { patient } from './patient.ts';
import { expectOk, inTurns, signUpMany, type Person } from './people.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const admin = { email: 'keeper@shop.example', password: 'the keeper of the keys' };
let url: string;
let resources: AsyncDisposableStack;
let vhost: Awaited<ReturnType<typeof freshVhost>>;
let client: Client;
let connection: mongoose.Connection;
let token: string;
let people: Person[];

// For each try of the test, since the names of its products are taken after the first one.
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  ({ url } = freshDatabase('republish'));
  vhost = await freshVhost('republish');
  resources.defer(() => vhost.drop());
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-republish-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  // The commands are processes of their own; what they speak to need not be.
  const { logger } = memoryLogger();
  const stack = await startStack({
    env: {
      PORT: '0',
      RATE_LIMITS: 'off',
      ...patient,
      MONGODB_URL: url,
      AMQP_URL: vhost.url,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    },
    dataDir,
    bus: 'rabbitmq',
    empty: true,
    loggerOf: (name) => logger.child({ name }),
  });
  resources.defer(() => stack.close());
  client = patientClientOf(stack.gateways[0] ?? '');
  connection = await mongoose.createConnection(url).asPromise();
  resources.defer(() => connection.close());
  token = expectOk(await client.call('POST', '/v1/auth/login', { body: admin })).accessToken;
  people = await signUpMany(stack.gateways[0] ?? '', stack.mailbox ?? '', 3);
});
afterEach(() => resources.disposeAsync());

const databaseOf = (service: string) => `${new URL(url).pathname.slice(1)}_storefront_${service}`;
const collectionOf = (service: string, name: string) =>
  connection.getClient().db(databaseOf(service)).collection<any>(name);
const all = (service: string, name: string, filter: object = {}) =>
  collectionOf(service, name).find(filter).sort({ _id: 1 }).toArray();
const asAdmin = (method: string, path: string, body?: object) => client.call(method, path, { token, body });

/** Runs the command of a service, as an operator does; `stopAfter` interrupts it after so many lines of progress. */
function republish(service: 'catalog' | 'identity', args: readonly string[], stopAfter = Infinity) {
  const env = { ...process.env, MONGODB_URL: url.replace(/\/[^/]*$/, `/${databaseOf(service)}`), AMQP_URL: vhost.url };
  const child = spawn('node', ['bootstrap.mjs', `services/${service}/src/cli.ts`, 'republish', ...args], {
    cwd: root,
    env,
  });
  let [stdout, lines] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    lines += chunk.toString();
    if (lines.split('\n').length > stopAfter) child.kill('SIGINT');
  });
  return new Promise<{ code: number | null; stdout: string; progress: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, progress: lines }));
  });
}

/** Account's copies without what counts writes. */
const copies = async () =>
  (await all('account', 'products')).map(({ version: _version, outbox: _outbox, ...copy }) => copy);

/** Orders' copies without what counts writes. */
const ordersCopies = async () => (await all('orders', 'products')).map(({ version: _version, ...copy }) => copy);

/** Waits until orders has the same products as account, each at the same version. */
const ordersSettled = () =>
  eventually(
    async () => {
      const versions = (known: readonly any[]) =>
        known.map(({ _id, sequence, deleted }) => ({ _id, sequence, deleted }));
      return isDeepStrictEqual(versions(await ordersCopies()), versions(await copies()));
    },
    'orders to know every product as account does',
    120_000,
  );

/** Engagement's copies without what counts writes, and without the version: not every version is an event that it hears. */
const engagementCopies = async () => {
  const known = [...(await all('engagement', 'categories')), ...(await all('engagement', 'products'))];
  return known.map(({ version: _version, sequence: _sequence, ...copy }) => copy);
};

/** The variants of a product that the catalog has, or whose last facts it has, with what applies to them. */
function catalogVariants({ _id, id = _id, sku, price: retail, tradePrice, stock, ...more }: any): any[] {
  const quantityPrices = more.quantityPrices ?? more.selling.quantityPrices;
  const variants = more.variants.length > 0 ? more.variants : [{ id: id.replace('prod_', 'var_'), sku, stock }];
  return variants.map((variant: any) => ({
    ...variant,
    price: variant.price ?? retail,
    tradePrice: variant.tradePrice ?? tradePrice,
    quantityPrices: variant.quantityPrices ?? quantityPrices,
  }));
}

/** What engagement's copies have to be, by what the catalog has. */
async function engagementExpected(): Promise<object[]> {
  const category = ({ name, path }: any) => ({ name, path });
  const product = ({ name, categoryIds, status, ...more }: any) => ({
    name,
    categoryIds,
    listed: status === 'active',
    variants: catalogVariants(more).map(
      ({ id, sku, values = [], price: retail, tradePrice, quantityPrices, stock }) => {
        return { id, sku, values, price: retail, tradePrice, quantityPrices, stock };
      },
    ),
  });
  const [categories, goneCategories] = [await all('catalog', 'categories'), await all('catalog', 'deleted_categories')];
  const [products, goneProducts] = [await all('catalog', 'products'), await all('catalog', 'deleted_products')];
  const known = [
    ...categories.map((each) => ({ _id: each._id, facts: category(each), deleted: false })),
    ...goneCategories.map(({ _id, facts }) => ({ _id, facts: category(facts), deleted: true })),
    ...products.map((each) => ({ _id: each._id, facts: product(each), deleted: false })),
    ...goneProducts.map(({ _id, facts }) => ({ _id, facts: product(facts), deleted: true })),
  ];
  return known.toSorted((one, other) => (one._id < other._id ? -1 : 1));
}

/** Waits until engagement knows every category and product as the catalog has them. */
const engagementSettled = () =>
  eventually(
    async () => isDeepStrictEqual(await engagementCopies(), await engagementExpected()),
    'engagement to know every category and product as it is',
    120_000,
  );

/**
 * Waits until account has the newest state of each product, and nothing is on its way. Of a product whose deletion came before
 * its snapshot only the deletion is known at first.
 */
async function settled(): Promise<void> {
  await eventually(
    async () => {
      const [present, known] = [await all('catalog', 'products'), await all('account', 'products')];
      const gone = await all('catalog', 'deleted_products');
      const expected = new Map<string, number>();
      for (const { _id, version } of present) expected.set(_id, version);
      for (const { _id, sequence } of gone) expected.set(_id, sequence);
      const isDone =
        expected.size > 0 &&
        known.length === expected.size &&
        known.every(({ _id, sequence, facts }) => expected.get(_id) === sequence && facts !== null);
      return isDone && known.every(({ due }) => due.length === 0);
    },
    'account to know every product as it is',
    120_000,
  );
}

const price = (amount: number) => ({ amount, currency: 'EUR' });
const lowsOf = ({ retail, trade }: any = {}) => ({ retail, trade });

const inSizes = (index: number) => ({
  options: [{ name: 'Size', values: ['S', 'M'] }],
  variants: [
    { sku: `T-${index}-S`, values: ['S'], stock: 5 },
    { sku: `T-${index}-M`, values: ['M'], price: price(100) },
  ],
});

it('makes dropped copies equal to the old ones while changes come in, and sends nothing', async () => {
  const category = async (name: string, parentId: string | null) =>
    expectOk(await asAdmin('POST', '/v1/categories', { name, parentId })).id as string;
  const root = await category('Everything', null);
  const [cups, plates] = [await category('Cups', root), await category('Plates', root)];
  const ids = await inTurns(
    Array.from({ length: 40 }, (_, index) => index),
    async (index) => {
      const body = {
        sku: `T-${index}`,
        name: `Thing ${index}`,
        price: price(2000 + index),
        ...(index % 10 === 9 ? inSizes(index) : { stock: 5 }),
        status: 'active',
        categoryIds: index < 20 ? [cups] : [plates],
      };
      return expectOk(await asAdmin('POST', '/v1/products', body)).id as string;
    },
  );
  for (const [index, amount] of [1500, 1800].entries())
    await inTurns(ids, (id, at) => asAdmin('PATCH', `/v1/products/${id}`, { price: price(amount + at + index) }));
  await settled();
  for (const person of people)
    expectOk(await client.call('POST', '/v1/wishlist/items', { token: person.token, body: { productId: ids[0] } }));
  await inTurns(ids.slice(35), (id) => asAdmin('DELETE', `/v1/products/${id}`));
  expectOk(await asAdmin('PATCH', `/v1/categories/${cups}`, { name: 'Mugs' }));
  expectOk(await asAdmin('DELETE', `/v1/categories/${plates}?strategy=cascade`));
  await settled();
  await engagementSettled();
  await ordersSettled();
  const identity = await republish('identity', []);
  expect(identity).toMatchObject({ code: 0, stdout: '4 published, which is all.\n' });
  await eventually(async () => (await all('engagement', 'recipients')).length === 4, 'the recipients');
  const before = {
    copies: new Map((await copies()).map((copy) => [copy._id, copy])),
    engagementCopies: await engagementCopies(),
    ordersCopies: await ordersCopies(),
    recipients: await all('engagement', 'recipients'),
    history: await all('account', 'price_history'),
    deliveries: await collectionOf('engagement', 'deliveries').countDocuments(),
    audit: await collectionOf('identity', 'audit_entries').countDocuments({ objectType: 'user' }),
  };

  for (const service of ['account', 'orders']) await collectionOf(service, 'products').deleteMany({});
  for (const name of ['recipients', 'products', 'categories']) await collectionOf('engagement', name).deleteMany({});
  const first = await republish('catalog', ['--rate', '20'], 3);
  const after = /To go on: --after (\w+)/.exec(first.stdout)?.[1];
  expect(first.stdout).toMatch(/^Stopped after \d+\./);
  const [remaining, people2] = await Promise.all([
    republish('catalog', ['--rate', '10', '--after', after ?? 'nothing']),
    republish('identity', ['--rate', '5']),
    // Meanwhile half of the products change, and some go or come.
    inTurns(ids.slice(10, 25), async (id, at) => {
      expectOk(await asAdmin('PATCH', `/v1/products/${id}`, { price: price(1000 + at) }));
      const { variants } = expectOk(await asAdmin('GET', `/v1/products/${id}`));
      expectOk(await asAdmin('POST', `/v1/products/${id}/variants/${variants[0].id}/stock`, { change: 3 }));
    }),
    inTurns(ids.slice(25, 30), (id) => asAdmin('DELETE', `/v1/products/${id}`)),
    asAdmin('PATCH', `/v1/categories/${cups}`, { parentId: null }).then(expectOk),
    asAdmin('POST', '/v1/products', { sku: 'NEW', name: 'New', price: price(1), status: 'active' }),
  ]);
  expect(remaining.stdout).toMatch(/which is all\.\n$/);
  expect(people2.code).toBe(0);
  await settled();

  await eventually(async () => (await all('engagement', 'recipients')).length === 4, 'the recipients again');
  expect(await all('engagement', 'recipients')).toEqual(before.recipients);
  const present = new Map((await all('catalog', 'products')).map((product) => [product._id, product]));
  const untouched = new Set([...ids.slice(0, 10), ...ids.slice(30)]);
  const anew = await copies();
  expect(anew.filter(({ _id }) => untouched.has(_id))).toEqual(
    [...before.copies.values()].filter(({ _id }) => untouched.has(_id)),
  );
  await engagementSettled();
  const isUntouched = ({ _id }: { _id: string }) => untouched.has(_id) || _id === root || _id === plates;
  const engagementAnew = await engagementCopies();
  expect(engagementAnew.filter(isUntouched)).toEqual(before.engagementCopies.filter(isUntouched));
  expect(engagementAnew.filter(isUntouched)).toHaveLength(untouched.size + 2);
  await ordersSettled();
  expect((await ordersCopies()).filter(isUntouched)).toEqual(before.ordersCopies.filter(isUntouched));
  const history = new Map((await all('account', 'price_history')).map((each) => [each._id, each]));
  for (const { _id, facts, lows, deleted } of anew) {
    const product = present.get(_id);
    expect(deleted).toBe(product === undefined);
    const { name, price: now, lowestPrice = now.amount, stock } = product ?? { ...facts, stock: 0 };
    const variants = product ? catalogVariants(product) : facts.variants;
    const offers = variants.map((each: any) => {
      return { id: each.id, sku: each.sku, price: each.price, available: product !== undefined && each.stock > 0 };
    });
    expect(facts).toMatchObject({ name, price: price(lowestPrice), available: stock > 0, variants: offers });
    expect(lows).toEqual(lowsOf(history.get(_id)));
  }
  for (const old of before.history) {
    const known = history.get(old._id);
    expect(mergeLows(known, old)).toEqual(lowsOf(known));
    for (const former of old.variants) {
      const variant = known.variants.find(({ id }: { id: string }) => id === former.id);
      expect(mergeLows(variant, former)).toEqual(lowsOf(variant));
    }
  }
  expect(await collectionOf('account', 'wishlist_alerts').countDocuments()).toBe(0);
  expect(await collectionOf('engagement', 'deliveries').countDocuments()).toBe(before.deliveries);
  expect(await collectionOf('identity', 'audit_entries').countDocuments({ objectType: 'user' })).toBe(before.audit);
});
