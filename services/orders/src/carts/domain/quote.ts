import {
  invalidFields,
  ordersErrors,
  ordersFields,
  type FieldError,
  type http,
  type ordersHttp,
} from '@storefront/contracts';
import type { ShippingOption } from '../../domain/shipping.ts';
import type { Terms } from '../../domain/terms.ts';
import { isTooLarge, totalsOf, type Totals, type TotalsInput } from '../../domain/totals.ts';
import { forSale, type PricedLine, type Pricing } from './priced-cart.ts';

/** What an order of a cart would cost. */
export interface Quote {
  readonly lines: readonly PricedLine[];
  readonly option: ShippingOption;
  readonly reverseCharge: boolean;
  readonly input: TotalsInput;
  readonly totals: Totals;
}

/** The discounts that the client has been told of. */
export type ToldDiscounts = Pick<ordersHttp.CartToQuote, 'discounts' | 'shippingDiscount'>;

interface Circumstances extends Pricing {
  readonly option: ShippingOption;
  readonly terms: Terms;
}

/**
 * Works out what an order would cost. Lines that are not for sale count nothing. Throws `cart_empty`, `cart_too_large`,
 * `shipping_not_possible`, and `validation_failed` for discounts that can't be of this cart.
 */
export function quoteOf(
  all: readonly PricedLine[],
  { discounts, shippingDiscount }: ToldDiscounts,
  { option, terms: { shipping, rates, reverseCharge }, tier, currency }: Circumstances,
): Quote {
  const lines = forSale(all);
  if (lines.length === 0) throw ordersErrors.cartEmpty();
  if ('notPossible' in shipping) throw ordersErrors.shippingNotPossible(shipping.notPossible);
  const taken = new Map(discounts.map(({ variantId, amount }) => [variantId, amount.amount]));
  const input: TotalsInput = {
    taxIncluded: tier === 'retail',
    lines: lines.map(({ line, unitPrice, taxClass }) => ({
      id: line.variantId,
      unitPrice,
      quantity: line.quantity,
      discount: taken.get(line.variantId) ?? 0,
      taxRate: rates[taxClass],
    })),
    shipping: { price: shipping.price, discount: shippingDiscount?.amount ?? 0, taxRate: rates.shipping },
  };
  if (isTooLarge(input)) throw ordersErrors.cartTooLarge();
  const faults = faultsOf({ discounts, shippingDiscount }, input, currency);
  if (faults.length > 0) throw invalidFields(faults);
  return { lines, option, reverseCharge, input, totals: totalsOf(input) };
}

function faultsOf(
  { discounts, shippingDiscount }: ToldDiscounts,
  { lines, shipping }: TotalsInput,
  currency: string,
): FieldError[] {
  const faults: FieldError[] = [];
  const check = (pointer: string, amount: http.Money, most: number) => {
    if (amount.currency !== currency) faults.push(ordersFields.otherCurrency(currency, pointer));
    else if (amount.amount > most) faults.push(ordersFields.discountTooLarge(pointer, most));
  };
  for (const [index, { variantId, amount }] of discounts.entries()) {
    const line = lines.find(({ id }) => id === variantId);
    if (line) check(`/discounts/${index}/amount`, amount, line.unitPrice * line.quantity);
    else faults.push(ordersFields.variantNotInCart(`/discounts/${index}/variantId`));
  }
  if (shippingDiscount) check('/shippingDiscount', shippingDiscount, shipping.price);
  return faults;
}
