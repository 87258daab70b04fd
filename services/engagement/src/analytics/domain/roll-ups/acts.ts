import type { FactKindName } from '../facts/kinds.ts';
import type { Acts, Flag, Flaggable } from './flags.ts';

/** The fields of a fact that are needed to find its flags. */
export interface KeptFact {
  readonly _id: string;
  readonly kind: string;
  readonly at: Date;
  readonly person: number | null;
  readonly data: unknown;
  readonly flags?: readonly string[];
}

/** The kinds of facts from which flags are found, by the name of the act. */
export const actKinds = {
  view: 'product-viewed',
  cart: 'cart-updated',
  wish: 'wishlist-item-added',
  alert: 'wishlist-alert-raised',
  checkout: 'checkout-started',
  order: 'order-placed',
  shipment: 'order-shipped',
  delivery: 'order-delivered',
} as const satisfies Record<string, FactKindName>;

type OnProduct = { readonly productId: string };
type Search = { readonly words: string | null; readonly results: number };
type Order = { readonly lines: readonly OnProduct[]; readonly currency: string | null };

/** Groups the facts of one person by act. Facts of other kinds are left out. */
export function actsOf(facts: readonly KeptFact[]): Acts {
  const of = (kind: string) => facts.filter((fact) => fact.kind === kind);
  const timed = ({ _id: id, at }: KeptFact) => ({ id, at });
  // The data of a fact has the shape that the fact's kind declares.
  const onProduct = ({ _id: id, at, data }: KeptFact) => ({ id, at, productId: (data as OnProduct).productId });
  return {
    views: of(actKinds.view).map(onProduct),
    wishes: of(actKinds.wish).map(onProduct),
    alerts: of(actKinds.alert).map(onProduct),
    carts: of(actKinds.cart).map(timed),
    checkouts: of(actKinds.checkout).map(timed),
    orders: of(actKinds.order).map(({ _id: id, at, data }) => ({
      id,
      at,
      products: (data as Order).lines.map(({ productId }) => productId),
    })),
    shipments: of(actKinds.shipment).map(timed),
    deliveries: of(actKinds.delivery).map(timed),
  };
}

/** Searches get the flag `shown`, which depends on how many people searched for the same text. */
const searchKind = 'search-performed' satisfies FactKindName;

/** Returns the parts of a fact that its flags count. null where facts of this kind have no flags. */
export function flaggableOf({ kind, data }: Pick<KeptFact, 'kind' | 'data'>): Flaggable | null {
  switch (kind) {
    case actKinds.view:
      return { act: 'view', productId: (data as OnProduct).productId };
    case actKinds.wish:
      return { act: 'wish', productId: (data as OnProduct).productId };
    case actKinds.alert:
      return { act: 'alert', productId: (data as OnProduct).productId };
    case actKinds.cart:
      return { act: 'cart' };
    case actKinds.order:
      return { act: 'order', currency: (data as Order).currency };
    case searchKind:
      return { act: 'search', ...(data as Search) };
    default:
      return null;
  }
}

/** The flags of a fact, as `flagsOf` found them and the database stored them. */
export function storedFlags({ flags = [] }: Pick<KeptFact, 'flags'>): readonly Flag[] {
  return flags as readonly Flag[];
}
