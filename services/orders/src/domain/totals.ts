import { divideHalfUp, product, share, spread, sum, type Exact } from '@storefront/money';

/** A line of a cart or order, in minor units of its currency. */
export interface PricedLine {
  /** Tells the lines apart, each has its own. */
  readonly id: string;
  readonly unitPrice: number;
  readonly quantity: number;
  /** What is taken off the line, at most quantity times price. */
  readonly discount: number;
  /** In basis points, at most 10,000; 0 where no tax is charged. */
  readonly taxRate: number;
}

/** What shipping costs, in minor units. */
export interface ShippingCosts {
  readonly price: number;
  /** At most the price. */
  readonly discount: number;
  /** In basis points, at most 10,000; 0 where no tax is charged. */
  readonly taxRate: number;
}

export interface TotalsInput {
  /**
   * Whether prices and discounts contain the tax, as retail prices do: then the tax is worked out of what is paid, which
   * is the same at every rate. Otherwise it comes on top.
   */
  readonly taxIncluded: boolean;
  readonly lines: readonly PricedLine[];
  readonly shipping: ShippingCosts;
}

/** What a part of the order costs: a line, or shipping. */
interface PartTotals {
  /** The tax on it, or in it. */
  readonly tax: number;
  /** What is paid for it: less its discount, and with its tax. */
  readonly total: number;
}

export interface Totals {
  /** In the order of the given lines. `subtotal` is quantity times price. */
  readonly lines: readonly (PartTotals & { readonly id: string; readonly subtotal: number })[];
  readonly shipping: PartTotals;
  /** Of all lines, before discounts. */
  readonly subtotal: number;
  /** Taken off lines and shipping. */
  readonly discount: number;
  readonly tax: number;
  /** What is to be paid: the totals of all lines and of shipping. */
  readonly total: number;
}

/** A line or shipping, before tax is worked out. */
interface Part {
  readonly price: number;
  readonly discount: number;
  readonly taxRate: number;
  /** Price less discount. */
  readonly base: number;
}

/**
 * Works out the tax and the totals of a cart or order. The tax of each rate is rounded once, for all lines and shipping
 * together, half a unit up, and spread over them by the largest remainder. So the parts add up to the whole, and none
 * has a tax that is more than its price. What comes out does not depend on the order of the lines. Throws a RangeError
 * if an amount is negative, a discount is larger than its price, or a sum is not a safe integer.
 */
export function totalsOf({ taxIncluded, lines, shipping }: TotalsInput): Totals {
  const goods = lines.map(({ id, unitPrice, quantity, discount, taxRate }) => ({
    id,
    part: partOf({ price: exact(product(unitPrice, quantity)), discount, taxRate }),
  }));
  const transport = partOf(shipping);
  // Of equal remainders the first part gets the unit, so the parts have an order of their own.
  const byId = goods.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ part }) => part);
  const taxes = taxesOf([...byId, transport], taxIncluded);
  const totalled = (part: Part): PartTotals => {
    const tax = taxes.get(part) ?? 0;
    return { tax, total: taxIncluded ? part.base : part.base + tax };
  };

  const shown = goods.map(({ id, part }) => ({ id, subtotal: part.price, ...totalled(part) }));
  const shippingTotals = totalled(transport);
  return {
    lines: shown,
    shipping: shippingTotals,
    subtotal: added(shown.map(({ subtotal }) => subtotal)),
    discount: added([...byId, transport].map(({ discount }) => discount)),
    tax: added([...taxes.values()]),
    total: added([...shown, shippingTotals].map(({ total }) => total)),
  };
}

function partOf({ price, discount, taxRate }: Omit<Part, 'base'>): Part {
  if (!(discount >= 0 && discount <= price)) throw new RangeError(`${discount} is no discount on ${price}`);
  return { price, discount, taxRate, base: price - discount };
}

/** The tax of each part. */
function taxesOf(parts: readonly Part[], taxIncluded: boolean): ReadonlyMap<Part, number> {
  const ofRate = Map.groupBy(parts, ({ taxRate }) => taxRate);
  return new Map(
    [...ofRate].flatMap(([rate, together]) => {
      const base = added(together.map((part) => part.base));
      const tax = taxIncluded ? taxWithin(base, rate) : share(base, rate);
      const taxes = spread(
        tax,
        together.map((part) => ({ weight: part.base, atMost: part.base })),
      );
      return together.map((part, index) => [part, taxes[index] ?? 0] as const);
    }),
  );
}

/** The tax that an amount contains: at 19 % it is 19/119 of it. */
function taxWithin(amount: number, basisPoints: number): number {
  return divideHalfUp(product(amount, basisPoints), 10_000 + basisPoints);
}

function added(amounts: readonly number[]): number {
  return exact(sum(amounts));
}

function exact(amount: Exact): number {
  if (typeof amount !== 'number') throw new RangeError(`${amount} is more than can be counted exactly`);
  return amount;
}

/** The most that lines and shipping of an order may cost before discounts, in minor units: as much as an invoice. */
export const maxTotal = 1_000_000_000_000;

/** Whether lines and shipping cost more than `maxTotal`. Up to that every total is exact. */
export function isTooLarge({ lines, shipping }: TotalsInput): boolean {
  return sum([...lines.map(({ unitPrice, quantity }) => product(unitPrice, quantity)), shipping.price]) > maxTotal;
}
