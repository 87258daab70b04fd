import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from '../client.ts';
import type { TestOperation, TestProduct } from './operation.ts';

const create: TestOperation = {
  name: 'create a product',
  weight: 3,
  async run(user, entry) {
    const sku = user.unique('SKU');
    const stock = 1000;
    const body = { sku, name: `Tea ${sku}`, price: { amount: 1999, currency: 'EUR' }, stock };
    const reply = await user.admin.call('POST', '/v1/products', { body, key: user.unique('key') });
    entry.promise(`product ${sku}`, {
      ...effectsOf(reply),
      count: (finalState) => finalState.count('catalog', 'products', { sku }),
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const product = { id: reply.body.id, stock, unclear: [] };
    user.products.push(product);
    // The copies receive every change.
    for (const service of user.discounts ? ['account', 'engagement'] : ['account'])
      entry.replace(`copy of product ${product.id} in ${service}, at the catalog's version`, {
        atLeast: 1,
        atMost: 1,
        count: async (finalState) => {
          const [original] = await finalState.find('catalog', 'products', { _id: product.id });
          return finalState.count(service, 'products', { _id: product.id, sequence: original?.['version'] });
        },
      });
  },
};

const moveStock: TestOperation = {
  name: 'move stock',
  weight: 8,
  needs: { product: true },
  async run(user, entry, _account, product) {
    const change = user.random.between(-5, 10) || 1;
    const reply = await user.admin.call('POST', `/v1/products/${product.id}/stock`, {
      body: { change },
      key: user.unique('key'),
    });
    if (isSuccess(reply)) {
      entry.acknowledged();
      product.stock += change;
    } else if (effectsOf(reply).atMost > 0) product.unclear.push(change);
    expectStock(entry, product);
  },
};

/** Expects the sum of the acknowledged changes and of any of the uncertain ones. */
function expectStock(entry: Entry, product: TestProduct): void {
  entry.replace(`correct stock of ${product.id}`, {
    atLeast: 1,
    atMost: 1,
    count: async (finalState) => {
      const [found] = await finalState.find('catalog', 'products', { _id: product.id });
      return Number(sumsOf(product.unclear).has(found?.['stock'] - product.stock));
    },
  });
}

/** The sums of all subsets of the numbers. */
function sumsOf(numbers: readonly number[]): ReadonlySet<number> {
  let sums = new Set([0]);
  for (const each of numbers) sums = sums.union(new Set([...sums].map((sum) => sum + each)));
  return sums;
}

export const catalog: readonly TestOperation[] = [create, moveStock];
