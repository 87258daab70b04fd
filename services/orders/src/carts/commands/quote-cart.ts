import { invalidFields, ordersFields, type FieldError, type ordersHttp } from '@storefront/contracts';
import type { Settings } from '../../settings/settings.ts';
import type { Cart } from '../domain/cart.ts';
import { pricedLines, subtotalOf, type Pricing } from '../domain/priced-cart.ts';
import { quoteOf, type Quote } from '../domain/quote.ts';
import type { CartReads } from '../store/cart-reads.ts';

interface Needs extends Pick<Settings, 'findShippingOption' | 'termsOf'> {
  readonly cartReads: CartReads;
}

/**
 * Works out what an order of the cart would cost its buyer; `userId` is null for a guest. Throws what `quoteOf` throws, and
 * `validation_failed` where the country or a shipping option that is offered is missing.
 */
export async function quoteCart(
  { cartReads, findShippingOption, termsOf }: Needs,
  cart: Cart,
  request: ordersHttp.CartToQuote,
  { userId, ...pricing }: Pricing & { readonly userId: string | null },
): Promise<Quote> {
  const country = request.country ?? cart.country;
  const optionId = request.shippingOptionId ?? cart.shippingOptionId;
  const [option, products] = await Promise.all([
    optionId === null ? null : findShippingOption(optionId),
    cartReads.products(cart.lines.map(({ productId }) => productId)),
  ]);
  const faults: FieldError[] = [];
  if (optionId === null) faults.push(ordersFields.shippingOptionRequired());
  else if (!option) faults.push(ordersFields.noSuchShippingOption());
  if (country === null) faults.push(ordersFields.countryRequired());
  if (!option || country === null) throw invalidFields(faults);

  const lines = pricedLines(cart, products, pricing);
  const parcel = { ...pricing, userId, country, subtotal: subtotalOf(lines), optionId: option.id };
  return quoteOf(lines, request.evaluation, { ...pricing, option, terms: await termsOf(parcel) });
}
