import { setTimeout as wait } from 'node:timers/promises';
import { ordersHttp, type engagementHttp } from '@storefront/contracts';
import { CheckoutRefused, expectBody, type Send } from './requests.ts';

/** What somebody wants to buy, and where to. */
export interface Purchase {
  readonly lines: readonly {
    readonly productId: string;
    /** May be left out where the product has one variant for sale. */
    readonly variantId?: string;
    readonly quantity: number;
  }[];
  readonly codes?: readonly string[];
  readonly shippingAddress: {
    readonly firstName: string;
    readonly lastName: string;
    readonly homeAddress: string;
    readonly city: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
  };
}

type ShippingOption = ordersHttp.CartShippingOptionsBody['data'][number];

/** A cart with what an order of it costs. */
export interface PreparedOrder {
  readonly cart: ordersHttp.CartBody;
  /** The cheapest one. */
  readonly shippingOption: ShippingOption;
  readonly evaluation: engagementHttp.EvaluationBody;
  readonly quote: ordersHttp.CartQuoteBody;
  /** The body of `POST /v1/orders`, but for how it is paid. */
  readonly order: Omit<ordersHttp.OrderCreationBody, 'payment'>;
}

const answerWithinMs = 150_000;
const pollMs = 250;

/**
 * Fills a cart, chooses the cheapest shipping option, and works out discounts and totals, as the pages of a shop do before
 * the buyer confirms. Throws CheckoutRefused, and an Error where nothing ships to the country.
 */
export async function prepareOrder(
  send: Send,
  { lines, codes = [], shippingAddress }: Purchase,
): Promise<PreparedOrder> {
  const { country } = shippingAddress;
  const cart = await expectBody<ordersHttp.CartBody>(send, 'POST', '/v1/carts', { lines });
  const path = `/v1/carts/${cart.id}`;
  if (codes.length > 0) await expectBody(send, 'PATCH', path, { codes });
  const options = await expectBody<ordersHttp.CartShippingOptionsBody>(
    send,
    'GET',
    `${path}/shipping-options?country=${encodeURIComponent(country)}`,
  );
  const [shippingOption] = options.data;
  if (!shippingOption) throw new Error(`Nothing of this cart can be shipped to ${country}.`);
  const evaluation = await expectBody<engagementHttp.EvaluationBody>(send, 'POST', '/v1/discounts/evaluate', {
    lines: cart.lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity })),
    shipping: shippingOption.price,
    codes,
  });
  const shippingOptionId = shippingOption.id;
  const quote = await expectBody<ordersHttp.CartQuoteBody>(send, 'POST', `${path}/quote`, {
    shippingOptionId,
    country,
    evaluation,
  });
  const { expectedTotal } = quote;
  return {
    cart,
    shippingOption,
    evaluation,
    quote,
    order: { cartId: cart.id, shippingOptionId, shippingAddress, expectedTotal },
  };
}

/**
 * Sends the order, and waits until it can be paid or is placed: up to 150 s, longer than the shop waits for any of its
 * services. Returns it as it is then. Throws CheckoutRefused where the order is refused.
 */
export async function sendOrder(send: Send, body: ordersHttp.OrderCreationBody): Promise<ordersHttp.OrderBody> {
  const sent = await expectBody<ordersHttp.OrderBody>(send, 'POST', '/v1/orders', body);
  const { id, orderSecret } = sent;
  const order = await untilAnswered(send, sent);
  if (order.refusal) throw new CheckoutRefused(`The order ${id}`, order.refusal);
  return { ...order, ...(orderSecret !== undefined && { orderSecret }) };
}

/** Reads the order until it can be paid, is placed or is over: up to 150 s. Returns it as it is then. */
export function untilAnswered(send: Send, order: ordersHttp.OrderBody): Promise<ordersHttp.OrderBody> {
  return untilOrder(send, order, isAnswered, answerWithinMs);
}

/**
 * Reads the order until it is as `isReached` says, for `limitMs` at most. `order` has its secret where a guest has sent it.
 * Returns the order as it is then.
 */
export async function untilOrder(
  send: Send,
  order: ordersHttp.OrderBody,
  isReached: (order: ordersHttp.OrderBody) => boolean,
  limitMs: number,
): Promise<ordersHttp.OrderBody> {
  const { id, orderSecret } = order;
  const headers: Record<string, string> =
    orderSecret === undefined ? {} : { [ordersHttp.orderSecretHeader]: orderSecret };
  const deadline = performance.now() + limitMs;
  let latest = order;
  while (!isReached(latest) && performance.now() < deadline) {
    await wait(pollMs);
    latest = await expectBody<ordersHttp.OrderBody>(send, 'GET', `/v1/orders/${id}`, undefined, headers);
  }
  return latest;
}

function isAnswered({ status, payment }: ordersHttp.OrderBody): boolean {
  return status === 'awaiting-payment' ? payment.redirectUrl !== null : status !== 'pending';
}
