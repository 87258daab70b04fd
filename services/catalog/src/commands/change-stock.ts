import { setTimeout as wait } from 'node:timers/promises';
import {
  audited,
  commonErrors,
  notFound,
  unchanged,
  withFacts,
  type Actor,
  type Decision,
} from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { changeStock as decide, type Product, type StockChange } from '../domain/product.ts';
import { mayHaveMoved, withStockKey } from '../domain/stock-keys.ts';
import { variantsOf } from '../domain/variants.ts';
import type { StockMoves } from '../store/stock-moves.ts';

interface Needs {
  readonly products: Repository<Product>;
  readonly stockMoves: StockMoves;
  readonly now: () => Date;
}

interface Move extends StockChange {
  readonly id: string;
  readonly actor: Actor;
  /** Throws if the client has seen another version. */
  readonly expect: (version: number) => void;
}

// A limit is needed because a request waits at most 10 s for its handler.
const maxAttempts = 200;

/**
 * Changes the stock of a product or of one of its variants, as the domain's `changeStock` says. A repeated call with the
 * same key changes nothing for 24 h, even if the stock was changed in between. Throws `insufficient_stock`, and `too_many_changes` if other changes came first 200 times.
 */
export async function changeStock(needs: Needs, move: Move): Promise<Loaded<Product>> {
  const { products, stockMoves } = needs;
  const { id, key } = move;
  // Without a key, only the product is written, so no transaction is needed. Many simultaneous changes are then several
  // times as fast.
  if (key === undefined) {
    const { result, version } = await products.change(id, (current, at) => decideAt(needs, move, current, at));
    return { state: result, version };
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await products.load(id);
    if (!known) throw notFound('product');
    const { stockKeys } = known.state;
    // The moved keys must be read after the product. Then every key that this version of the product no longer holds is
    // found.
    if (!stockKeys.includes(key) && mayHaveMoved(stockKeys) && (await stockMoves.has(key))) return known;
    await stockMoves.keep(withStockKey(stockKeys, key).moved);
    const { result, version } = await products.change<Product | null>(
      id,
      (current, at) => (at === known.version ? decideAt(needs, move, current, at) : unchanged(null)),
      known,
    );
    if (result) return { state: result, version };
    await wait(Math.random() * Math.min(5 * attempt, 100));
  }
  throw commonErrors.tooManyChanges().with({ retryAfterSeconds: 1 });
}

function decideAt(
  { now }: Needs,
  { id, actor, expect, ...change }: Move,
  current: Product | null,
  version: number,
): Decision<Product, Product> {
  if (!current) throw notFound('product');
  const decision = decide(current, change, { now: now(), expect: () => expect(version) });
  const moved = variantsOf(decision.result).find((variant) => variant.id === change.variantId) ?? decision.result;
  const details = { sku: moved.sku, change: change.change, stock: moved.stock, reason: change.reason };
  return withFacts(decision, audited('catalog', actor, 'stock-changed', { object: { type: 'product', id }, details }));
}
