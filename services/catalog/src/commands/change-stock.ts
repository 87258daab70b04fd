import { audited, notFound, withFacts } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { changeStock as decide } from '../domain/product.ts';
import type { Product, StockChange } from '../domain/product.ts';

interface Needs {
  readonly products: Repository<Product>;
  readonly now: () => Date;
}

/** Changes the stock of a product; repeated with the same key it changes nothing. `expect` checks the version. */
export async function changeStock(
  { products, now }: Needs,
  {
    id,
    actor,
    expect,
    ...change
  }: StockChange & { readonly id: string; readonly actor: Actor; readonly expect: (version: number) => void },
): Promise<Loaded<Product>> {
  // A single document needs no transaction; many changes at once are several times as fast without.
  const { result, version } = await products.change(id, (current, currentVersion) => {
    if (!current) throw notFound('product');
    const decision = decide(current, change, { now: now(), expect: () => expect(currentVersion) });
    const details = { sku: current.sku, change: change.change, stock: decision.result.stock, reason: change.reason };
    return withFacts(
      decision,
      audited('catalog', actor, 'stock-changed', { object: { type: 'product', id }, details }),
    );
  });
  return { state: result, version };
}
