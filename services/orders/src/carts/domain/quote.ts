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
type Evaluation = ordersHttp.CartToQuote['evaluation'];

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
  evaluation: Evaluation,
  { option, terms: { shipping, rates, reverseCharge }, tier, currency }: Circumstances,
): Quote {
  const lines = forSale(all);
  if (lines.length === 0) throw ordersErrors.cartEmpty();
  if ('notPossible' in shipping) throw ordersErrors.shippingNotPossible(shipping.notPossible);
  const taken = new Map<string | null, number>();
  for (const { variantId, discount } of evaluation?.lines ?? [])
    taken.set(variantId, (taken.get(variantId) ?? 0) + discount.amount);
  const input: TotalsInput = {
    taxIncluded: tier === 'retail',
    lines: lines.map(({ line, unitPrice, taxClass }) => ({
      id: line.variantId,
      unitPrice,
      quantity: line.quantity,
      discount: taken.get(line.variantId) ?? 0,
      taxRate: rates[taxClass],
    })),
    shipping: { price: shipping.price, discount: evaluation?.shippingDiscount.amount ?? 0, taxRate: rates.shipping },
  };
  if (isTooLarge(input)) throw ordersErrors.cartTooLarge();
  const faults = evaluation ? faultsOf(evaluation, input, currency) : [];
  if (faults.length > 0) throw invalidFields(faults);
  return { lines, option, reverseCharge, input, totals: totalsOf(input) };
}

function faultsOf(
  evaluation: NonNullable<Evaluation>,
  { lines, shipping }: TotalsInput,
  currency: string,
): FieldError[] {
  const faults: FieldError[] = [];
  const check = (pointer: string, amount: http.Money, most: number) => {
    if (amount.currency !== currency) faults.push(ordersFields.otherCurrency(currency, pointer));
    else if (amount.amount > most) faults.push(ordersFields.discountTooLarge(pointer, most));
  };
  for (const [index, { variantId, discount }] of evaluation.lines.entries()) {
    const line = lines.find(({ id }) => id === variantId);
    const at = `/evaluation/lines/${index}`;
    if (!line) faults.push(ordersFields.variantNotInCart(`${at}/variantId`));
    // A variant may be in several lines of the evaluation.
    else check(`${at}/discount`, discount, line.unitPrice * line.quantity - (line.discount - discount.amount));
  }
  check('/evaluation/shippingDiscount', evaluation.shippingDiscount, shipping.price);
  return faults;
}
