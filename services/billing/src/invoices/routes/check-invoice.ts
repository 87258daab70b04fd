import { billingFields, type billingHttp, type FieldError } from '@storefront/contracts';
import { isDiscountAbove, isTooLarge, type GivenLine } from '../domain/sums.ts';

/** The lines of a request, with amounts in minor units. */
export function linesOf(lines: billingHttp.InvoiceToIssue['lines']): GivenLine[] {
  return lines.map(({ description, sku = null, quantity, unitPrice, discount, taxRate }) => ({
    description,
    sku,
    quantity,
    unitPrice: unitPrice.amount,
    discount: discount?.amount ?? 0,
    taxRate,
  }));
}

/** The wrong fields of a requested invoice that its schema can't check: currencies, discounts and the total. */
export function checkInvoice({ lines }: Partial<billingHttp.InvoiceToIssue>, currency: string): FieldError[] {
  if (lines === undefined) return [];
  const others = lines.flatMap(({ unitPrice, discount }, at) => [
    ...(unitPrice.currency === currency ? [] : [billingFields.otherCurrency(`/lines/${at}/unitPrice`, currency)]),
    ...(!discount || discount.currency === currency
      ? []
      : [billingFields.otherCurrency(`/lines/${at}/discount`, currency)]),
  ]);
  const given = linesOf(lines);
  const above = given.flatMap((line, at) => (isDiscountAbove(line) ? [billingFields.discountAboveLine(at)] : []));
  const tooLarge = above.length === 0 && isTooLarge(given) ? [billingFields.totalTooLarge()] : [];
  return [...others, ...above, ...tooLarge];
}
