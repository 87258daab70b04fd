import { changed, unchanged } from '@storefront/contracts';
import type { InContext, Loaded } from '@storefront/mongo';
import { factsOfProduct, type Product } from '../domain/product.ts';
import { decideSteps, freeStockFacts, productIdsOf, type OrderStep, type Reservation } from '../domain/reservations.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'products' | 'reservations' | 'inTransactionOfNew'> {
  readonly now: () => Date;
}

/** Performs a step of an order. It is stored once this returns. */
export type PerformStep = (step: OrderStep) => Promise<null>;

/**
 * Performs steps of orders in one transaction, one step after the other. So orders that want the same products at the same
 * moment share a write of each product, and don't make each other start again.
 */
export function workOffOrderSteps(needs: Needs, steps: readonly InContext<OrderStep>[]): Promise<readonly null[]> {
  const { products, reservations, inTransactionOfNew, now } = needs;
  return inTransactionOfNew(async (transaction, areNew) => {
    const items = steps.map(({ item }) => item);
    // A request comes first, and always writes its record.
    const requested = areNew ? items.filter(({ kind }) => kind === 'request').map(({ orderId }) => orderId) : [];
    const others = new Set(items.map(({ orderId }) => orderId)).difference(new Set(requested));
    const records = new Map<string, Loaded<Reservation> | null>([
      ...requested.map((id) => [id, null] as const),
      ...(await reservations.readAll(transaction, [...others])),
    ]);
    const ofOrders = statesOf(records);
    const productIds = [...new Set(items.flatMap((item) => productIdsOf(item, ofOrders.get(item.orderId))))];
    const found = await products.readAll(transaction, productIds);
    const known = { reservations: ofOrders, products: statesOf(found) };

    const changes = decideSteps(items, known, now());
    for (const [index, { owns }] of steps.entries()) owns(changes.idsOfSteps[index] ?? []);
    const freeStock = freeStockFacts(
      changes,
      [...found.values()].filter((each) => each !== null),
    );
    const saveReservation = (id: string) => {
      const next = changes.reservations.get(id);
      const ofProducts = freeStock.ofOrders.get(id);
      return next ? changed(next.state, [...next.answers, ...(ofProducts ? [ofProducts] : [])], null) : unchanged(null);
    };
    await reservations.changeAll(transaction, [...changes.reservations.keys()], saveReservation, records);
    const saveProduct = (id: string, current: Product | null) => {
      const next = changes.products.get(id);
      if (next && freeStock.productIds.has(id)) return changed(next, [], null);
      const facts = current && next ? factsOfProduct(current, next, reasonOf) : [];
      // No facts where as many pieces were given back as reserved.
      return next && facts.length > 0 ? changed(next, facts, null) : unchanged(null);
    };
    await products.changeAll(transaction, [...changes.products.keys()], saveProduct, found);
    return steps.map(() => null);
  });
}

function statesOf<State>(found: ReadonlyMap<string, Loaded<State> | null>): ReadonlyMap<string, State> {
  return new Map([...found].flatMap(([id, loaded]) => (loaded ? [[id, loaded.state] as const] : [])));
}

/** Of steps that reserve and steps that give back only the difference is published. What is shipped was not free before. */
function reasonOf(change: number, counted: number): string {
  if (change < 0) return 'order-reserved';
  if (counted > 0) return 'order-returned';
  return change === 0 ? 'order-shipped' : 'order-cancelled';
}
