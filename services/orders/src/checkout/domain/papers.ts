import type { Calendar } from '@storefront/calendar';
import { notFound, ordersErrors, type Locale } from '@storefront/contracts';
import type { OrderConfirmationDocument, PackingSlipDocument } from '@storefront/documents';
import { toPercent } from '../../domain/tax.ts';
import { atRates } from './at-rates.ts';
import { toShipOf } from './fulfilment.ts';
import { addressOf, reservedIn, type Order, type OrderAddress, type OrderLine } from './order.ts';

type Party = OrderConfirmationDocument['seller'];

/** What the shop's operator has set about papers. */
export interface PaperSettings {
  readonly seller: Party;
  /** The language for orders that were sent in none. */
  readonly locale: Locale;
  readonly calendar: Pick<Calendar, 'dayOf'>;
}

/** The confirmation of an order, as it was placed. Throws `order_not_placed`. */
export function confirmationOf(order: Order, settings: PaperSettings): OrderConfirmationDocument {
  const { currency, email, payment, taxIncluded, reverseCharge, lines, shipping, discounts, totals } = order;
  return {
    ...paperOf(order, settings),
    currency,
    buyer: partyOf(order.billingAddress ?? addressOf(order)),
    email,
    payment: totals.total === 0 ? 'none' : payment.method,
    taxIncluded,
    reverseCharge,
    lines: lines.map((line) => {
      const { unitPrice } = reservedIn(line);
      const { quantity, discount, taxRate, tax, total } = line;
      const amount = taxIncluded ? total : total - tax;
      return { ...goodsOf(line, quantity), unitPrice, discount, taxRate: toPercent(taxRate), amount };
    }),
    shipping: { name: shipping.name, price: shipping.price ?? 0, discount: shipping.discount },
    discounts,
    taxes: atRates(order).map(({ rate, net, tax }) => ({ rate: toPercent(rate), net, tax })),
    total: totals.total,
  };
}

/**
 * The packing slip of a shipment, or of all that is left to ship of an order. Throws `order_not_placed`, `not_found` for a
 * shipment that the order does not have, and `nothing_to_ship`.
 */
export function packingSlipOf(
  order: Order,
  shipmentId: string | undefined,
  settings: PaperSettings,
): PackingSlipDocument {
  const paper = { ...paperOf(order, settings), shippingOption: order.shipping.name };
  if (shipmentId === undefined) {
    const lines = order.lines.flatMap((line) => (toShipOf(line) > 0 ? goodsOf(line, toShipOf(line)) : []));
    if (lines.length === 0) throw ordersErrors.nothingToShip();
    return { ...paper, shipment: null, lines };
  }
  const shipment = order.shipments.find(({ id }) => id === shipmentId);
  if (!shipment) throw notFound('shipment');
  const { shippedAt, carrier, trackingNumber, lines } = shipment;
  return {
    ...paper,
    madeAt: shippedAt.toISOString(),
    shipment: { shippedOn: settings.calendar.dayOf(shippedAt), carrier, trackingNumber },
    lines: order.lines.flatMap((line) => {
      const quantity = lines.find(({ lineId }) => lineId === line.id)?.quantity;
      return quantity === undefined ? [] : goodsOf(line, quantity);
    }),
  };
}

/** What all papers of an order have. */
function paperOf(order: Order, { seller, locale, calendar }: PaperSettings) {
  const { status, number, placedAt } = order;
  if (status !== 'placed' || number === null || placedAt === null) throw ordersErrors.orderNotPlaced(status);
  return {
    locale: order.locale ?? locale,
    number,
    placedOn: calendar.dayOf(placedAt),
    madeAt: placedAt.toISOString(),
    seller,
    recipient: partyOf(addressOf(order)),
    reference: order.reference,
  };
}

function partyOf({ firstName, lastName, company, homeAddress, city, state, country }: OrderAddress): Party {
  const name = `${firstName} ${lastName}`.trim();
  const lines = [...(company === null ? [] : [name]), homeAddress, city, state ?? ''];
  const address = lines.filter((line) => line !== '').join('\n');
  return { businessName: company ?? name, address, country, vatNumber: null };
}

function goodsOf(line: OrderLine, quantity: number) {
  const { name, values, sku } = reservedIn(line);
  return { name, values, sku, quantity };
}
