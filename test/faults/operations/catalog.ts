import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from './operation.ts';
import type { Operation, Product } from './operation.ts';

const create: Operation = {
  name: 'create a product',
  weight: 3,
  async run(user, entry) {
    const sku = user.fresh('SKU');
    const stock = 1000;
    const body = { sku, name: `Tea ${sku}`, price: { amount: 1999, currency: 'EUR' }, stock };
    const reply = await user.admin.call('POST', '/v1/products', { body, key: user.fresh('key') });
    entry.promise(`product ${sku}`, {
      ...effectsOf(reply),
      count: (evidence) => evidence.count('catalog', 'products', { sku }),
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const product = { id: reply.body.id, stock, unclear: [] };
    user.products.push(product);
    // Every change of it ends in the copy that the account service keeps.
    entry.replace(`copy of product ${product.id}, at the catalog's version`, {
      atLeast: 1,
      atMost: 1,
      count: async (evidence) => {
        const [original] = await evidence.find('catalog', 'products', { _id: product.id });
        return evidence.count('account', 'products', { _id: product.id, sequence: original?.['version'] });
      },
    });
  },
};

const moveStock: Operation = {
  name: 'move stock',
  weight: 8,
  needs: { product: true },
  async run(user, entry, _account, product) {
    const change = user.random.between(-5, 10) || 1;
    const reply = await user.admin.call('POST', `/v1/products/${product.id}/stock`, {
      body: { change },
      key: user.fresh('key'),
    });
    if (isSuccess(reply)) {
      entry.acknowledged();
      product.stock += change;
    } else if (effectsOf(reply).atMost > 0) product.unclear.push(change);
    expectStock(entry, product);
  },
};

/** All that was acknowledged, and any of what nobody knows. */
function expectStock(entry: Entry, product: Product): void {
  entry.replace(`stock of ${product.id} that adds up`, {
    atLeast: 1,
    atMost: 1,
    count: async (evidence) => {
      const [found] = await evidence.find('catalog', 'products', { _id: product.id });
      return Number(sumsOf(product.unclear).has(found?.['stock'] - product.stock));
    },
  });
}

/** What any choice of the numbers comes to. */
function sumsOf(numbers: readonly number[]): ReadonlySet<number> {
  let sums = new Set([0]);
  for (const each of numbers) sums = sums.union(new Set([...sums].map((sum) => sum + each)));
  return sums;
}

export const catalog: readonly Operation[] = [create, moveStock];
