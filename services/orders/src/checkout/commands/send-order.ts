import {
  invalidFields,
  notFound,
  ordersErrors,
  ordersFields,
  Refusal,
  returnUrlNotAllowed,
  type FieldError,
  type Locale,
  type ordersHttp,
} from '@storefront/contracts';
import { isReturnUrl } from '@storefront/process';
import type { Carts } from '../../carts/carts.ts';
import { advance } from '../domain/advance.ts';
import { isOver, newOrder, type NewOrder, type Order } from '../domain/order.ts';
import type { CodeBudgets } from '../store/code-budgets.ts';
import type { OrderSecrets } from '../secrets/order-secrets.ts';
import type { AdvanceNeeds } from './advance-order.ts';

export interface SendNeeds extends AdvanceNeeds {
  readonly carts: Carts;
  /** The active shipping option with this id; null if there is none. */
  readonly findShippingOption: (id: string) => Promise<NewOrder['shippingOption'] | null>;
  readonly orderSecrets: OrderSecrets;
  readonly codeBudgets: CodeBudgets;
  readonly currency: string;
  readonly returnUrls: readonly string[];
}

interface Buyer {
  /** null for a guest. */
  readonly userId: string | null;
  readonly tier: Order['tier'];
  /** The network that the order comes from. */
  readonly network: string;
  readonly locale: Locale | null;
}

interface NewRequest {
  readonly id: string;
  /** Whether no earlier attempt of the same request can have made an order under this id. */
  readonly isNew: boolean;
  readonly buyer: Buyer;
  readonly given: ordersHttp.OrderCreation;
}

/** How many orders a buyer may have that are not paid, and how many all buyers of a network. */
const mostUnpaid = { buyer: 3, network: 10 };

/**
 * Makes the order of a cart under `id`, and asks catalog to reserve its stock; where it goes to a saved address, account is
 * asked first. The cart stands still for the order: sent again, it returns the same one. Throws
 * `too_many_orders_with_codes`, `validation_failed` with every wrong field, `cart_empty`, and `too_many_unpaid_orders`.
 */
export async function sendOrder(needs: SendNeeds, { id, isNew, buyer, given }: NewRequest): Promise<Order> {
  const { orders, carts, findShippingOption, orderSecrets, inTransaction, now, onChanged } = needs;
  const cartKey = carts.keyOf(given.cartId);
  const cart = await carts.lookAt(cartKey);
  if (cart !== null && cart.orderId !== null) return await existing(needs, cart.orderId, buyer);

  const faults = faultsOf(given, buyer, needs);
  const shippingOption = await findShippingOption(given.shippingOptionId);
  if (!shippingOption) faults.push(ordersFields.noSuchShippingOption());
  if (!cart) faults.push(ordersFields.noSuchCart());
  if (faults.length > 0 || !shippingOption || !cart) throw invalidFields(faults);
  if (cart.codes.length > 0) await needs.codeBudgets.spend(buyer);
  const secret = orderSecrets.of(id);
  const isGuest = buyer.userId === null;
  const details = {
    id,
    cartKey,
    ...buyerOf(buyer, given),
    currency: needs.currency,
    expectedTotal: given.expectedTotal.amount,
    saved: savedOf(given),
    shippingAddress: given.shippingAddress ?? null,
    billingAddress: given.billingAddress ?? given.shippingAddress ?? null,
    shippingOption,
    method: given.payment.method,
    returnUrl: given.returnUrl ?? null,
    reference: given.reference ?? null,
    note: given.note ?? null,
    secret: isGuest ? { digest: orderSecrets.digest(secret), sealed: await orderSecrets.seal(secret) } : null,
  };

  const sent = await inTransaction(async (transaction) => {
    // Where the request comes again after its order is over, the cart is free, and must not stand still for it.
    const known = isNew ? new Map([[id, null]]) : await orders.readAll(transaction, [id]);
    const before = known.get(id);
    if (before) return before.state;
    const frozen = await carts.freeze(transaction, cartKey, { orderId: id, tier: buyer.tier });
    if (frozen === null) throw invalidFields([ordersFields.noSuchCart()]);
    if ('orderId' in frozen) return frozen.orderId;
    if (frozen.lines.length === 0) throw ordersErrors.cartEmpty();
    const counted = details.unpaidKeys.map((key, place) => ({
      key,
      most: place === 0 ? mostUnpaid.buyer : mostUnpaid.network,
    }));
    const full = await needs.countAsUnpaid(transaction, counted, id);
    if (full !== null) throw ordersErrors.tooManyUnpaidOrders(full.most);
    const order = newOrder({ ...details, lines: frozen.lines, codes: frozen.codes }, now());
    const happening = details.saved === null ? 'sent' : 'sent-to-saved';
    const decide = () => advance(order, { happening, by: 'buyer' }, { now: now(), number: null });
    const [saved] = await orders.changeAll(transaction, [id], decide, known);
    return saved?.result ?? id;
  });
  if (typeof sent === 'string') return await existing(needs, sent, buyer);
  onChanged(sent);
  return sent;
}

/** The refusal that the order was answered with; null if it is not refused. */
export function refusalOf({ refusal }: Pick<Order, 'refusal'>): Refusal | null {
  if (refusal === null) return null;
  const { code, detail, members } = refusal;
  return new Refusal({ code, kind: 'rule' }, detail, { members });
}

/** Whether the buyer can go on: the order is paid on a page, or nobody has anything more to say. */
export function isAnswered(order: Order): boolean {
  const { status, payment } = order;
  if (status === 'awaiting-payment') return payment.redirectUrl !== null;
  return status === 'placed' || isOver(order);
}

/** An error for each field that a schema can't judge. */
function faultsOf(
  given: ordersHttp.OrderCreation,
  { userId, tier }: Buyer,
  { currency, returnUrls }: SendNeeds,
): FieldError[] {
  const { email, payment, expectedTotal, returnUrl } = given;
  return [
    ...addressFaultsOf(given, userId === null),
    ...(userId === null && email === undefined ? [ordersFields.emailRequired()] : []),
    ...(userId !== null && email !== undefined ? [ordersFields.emailNotTaken()] : []),
    ...(payment.method === 'invoice' && tier !== 'trade' ? [ordersFields.onAccountForTrade()] : []),
    ...(expectedTotal.currency !== currency ? [ordersFields.otherCurrency(currency)] : []),
    ...(returnUrl !== undefined && !isReturnUrl(returnUrl, returnUrls) ? [returnUrlNotAllowed()] : []),
  ];
}

/** An order goes to one address, and to one of those that are saved only with a login. */
function addressFaultsOf(
  { shippingAddress, addressId, customerId, recipient }: ordersHttp.OrderCreation,
  isGuest: boolean,
): FieldError[] {
  const saved = [
    ...(addressId === undefined ? [] : ['/addressId']),
    ...(customerId === undefined ? [] : ['/customerId']),
  ];
  if (shippingAddress === undefined && saved.length === 0) return [ordersFields.addressRequired()];
  const others = shippingAddress === undefined ? saved.slice(1) : saved;
  return [
    ...(isGuest ? saved.map(ordersFields.forUsers) : others.map(ordersFields.oneAddress)),
    ...(addressId !== undefined && recipient === undefined ? [ordersFields.recipientRequired()] : []),
    ...(addressId === undefined && recipient !== undefined ? [ordersFields.recipientNotTaken()] : []),
  ];
}

function savedOf({ addressId, customerId, recipient }: ordersHttp.OrderCreation): NewOrder['saved'] {
  if (addressId !== undefined) return { kind: 'address', id: addressId, recipient: recipient ?? null };
  return customerId === undefined ? null : { kind: 'customer', id: customerId, recipient: null };
}

function buyerOf({ userId, tier, network, locale }: Buyer, { email }: ordersHttp.OrderCreation) {
  const guest = email?.toLowerCase() ?? '';
  const key = userId === null ? `guest:${guest}` : userId;
  return {
    userId,
    email: userId === null ? (email ?? null) : null,
    tier,
    locale,
    unpaidKeys: [key, `network:${network}`],
  };
}

/** The order that a cart stands still for. That of a user looks like no cart to everybody else. */
async function existing({ orders }: SendNeeds, id: string, { userId }: Buyer): Promise<Order> {
  const found = await orders.load(id);
  if (!found) throw notFound('order');
  if (found.state.userId !== null && found.state.userId !== userId) throw invalidFields([ordersFields.noSuchCart()]);
  return found.state;
}
