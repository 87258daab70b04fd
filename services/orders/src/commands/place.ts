import { randomUUID } from 'node:crypto';
import {
  CheckoutRefused,
  findVariant,
  payOnDemoPage,
  prepareOrder,
  sendOrder,
  untilOrder,
  type PreparedOrder,
  type Purchase,
  type Send,
} from '@storefront/checkout-client';
import { http, ordersHttp } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import { ConfigError } from '@storefront/process';
import { z } from 'zod';

export const placeUsage = `  place --sku <sku>[:<quantity>]… [--email <address> | --as <email of a user>] [--country <code>] [--code <code>]…
        [--on-account] [--reference <text>] [--pay]

    buys at API_URL as the page of a shop does: fills a cart, takes the cheapest way of shipping, and sends the order. It
    says what it does on standard error, and prints the order on standard output, as JSON. The buyer is a guest with
    --email (guest@example.com), or the user of --as, whose password comes from BUYER_PASSWORD or standard input.
    --country is where it goes to (DE), --code a discount code, --reference the buyer's own number. --on-account sends the
    order of a trade account that pays by invoice. --pay pays on the page of the demo provider, which has to be at
    DEMO_PAYMENT_URL; without it the order awaits its payment at the address that is shown
`;

export const placeOptions = {
  sku: { type: 'string', multiple: true },
  email: { type: 'string' },
  as: { type: 'string' },
  country: { type: 'string', default: 'DE' },
  code: { type: 'string', multiple: true },
  'on-account': { type: 'boolean', default: false },
  reference: { type: 'string' },
  pay: { type: 'boolean', default: false },
} as const;

const given = z
  .object({
    sku: z
      .array(
        z
          .string()
          .regex(
            /^[^:]+(:[1-9]\d{0,2})?$/,
            `must be <sku>[:<quantity>], of which there may be ${ordersHttp.mostUnits}`,
          ),
      )
      .min(1)
      .max(ordersHttp.mostCartLines),
    email: http.emailAddress.optional(),
    as: http.emailAddress.optional(),
    country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two letters'),
    code: z.array(z.string()).default([]),
    'on-account': z.boolean(),
    reference: z.string().optional(),
    pay: z.boolean(),
  })
  .superRefine((options, context) => {
    const wrong = (option: keyof typeof options, message: string) =>
      context.addIssue({ code: 'custom', path: [option], message });
    if (options.email !== undefined && options.as !== undefined)
      wrong('email', 'is of a guest: leave it out with --as');
    if (options['on-account'] && options.as === undefined) wrong('on-account', 'needs the trade account: --as <email>');
    if (options['on-account'] && options.pay) wrong('pay', 'is for orders that are not on account');
  });
type Given = z.output<typeof given>;

interface PlaceNeeds {
  readonly apiUrl: string;
  /** Where the demo provider is; undefined where there is none. */
  readonly demoPaymentUrl: string | undefined;
  readonly readPassword: () => Promise<string>;
  /** Receives what the command does, a line at a time. */
  readonly say: (line: string) => void;
}

const guest = { firstName: 'Gwen', lastName: 'Guest' };
const placedWithinMs = 60_000;

/** Buys something, and returns the order as JSON. Throws a ConfigError where an option is wrong or the shop refuses. */
export async function place(values: unknown, needs: PlaceNeeds): Promise<string> {
  const options = given.safeParse(values);
  if (!options.success) throw new ConfigError(`${z.prettifyError(options.error)}\n\n${placeUsage}`);
  try {
    return JSON.stringify(await buy(options.data, needs), null, 2);
  } catch (error) {
    if (error instanceof CheckoutRefused) throw new ConfigError(error.message);
    throw error;
  }
}

async function buy(wanted: Given, needs: PlaceNeeds): Promise<ordersHttp.OrderBody> {
  const { say, demoPaymentUrl } = needs;
  if (wanted.pay && demoPaymentUrl === undefined)
    throw new ConfigError('--pay needs DEMO_PAYMENT_URL: the address of the demo provider.');
  const anonymous = sender(needs.apiUrl);
  const buyer = wanted.as === undefined ? null : await logIn(anonymous, wanted.as, await needs.readPassword());
  const send = buyer === null ? anonymous : sender(needs.apiUrl, buyer.token);
  const email = wanted.email ?? 'guest@example.com';
  say(buyer === null ? `${email} buys as a guest.` : `${wanted.as} is logged in.`);

  const { firstName, lastName } = buyer ?? guest;
  const prepared = await prepareOrder(send, {
    lines: await linesOf(send, wanted.sku),
    codes: wanted.code,
    shippingAddress: {
      firstName,
      lastName,
      homeAddress: '1 Example Street',
      city: 'Exampleton',
      country: wanted.country,
    },
  });
  for (const line of describe(prepared)) say(line);

  const order = await sendOrder(send, {
    ...prepared.order,
    ...(buyer === null && { email }),
    payment: { method: wanted['on-account'] ? 'invoice' : 'card' },
    ...(wanted.reference !== undefined && { reference: wanted.reference }),
  });
  say(`The order ${order.id} is sent; its status is ${order.status}.`);
  const { redirectUrl } = order.payment;
  if (redirectUrl === null) return named(order, say);
  if (!wanted.pay) {
    say(`It can be paid at ${redirectUrl}`);
    return order;
  }
  // Another provider's page has no such button, and would be sent a form that it does not know.
  if (new URL(redirectUrl).origin !== new URL(demoPaymentUrl ?? '').origin)
    throw new ConfigError(`${order.id} is not paid at the demo provider, but at ${redirectUrl}`);
  await payOnDemoPage(redirectUrl);
  say(`${amountOf(order.totals.total)} are paid at the demo provider.`);
  const { orderSecret } = order;
  const paid = await untilOrder(send, order, ({ status }) => status !== 'awaiting-payment', placedWithinMs);
  return named({ ...paid, ...(orderSecret !== undefined && { orderSecret }) }, say);
}

function named(order: ordersHttp.OrderBody, say: PlaceNeeds['say']): ordersHttp.OrderBody {
  say(order.number === null ? `${order.id} is ${order.status}.` : `It is ${order.status} as ${order.number}.`);
  return order;
}

/** The lines of the cart. Throws CheckoutRefused where a SKU is not for sale. */
function linesOf(send: Send, skus: readonly string[]): Promise<Purchase['lines']> {
  return Promise.all(
    skus.map(async (text) => {
      const [sku = '', quantity = '1'] = text.split(':');
      return { ...(await findVariant(send, sku)), quantity: Number(quantity) };
    }),
  );
}

async function logIn(send: Send, email: string, password: string) {
  const { status, body } = await send('POST', '/v1/auth/login', { email, password });
  const answer = body as { accessToken?: string; user?: { firstName: string; lastName: string }; detail?: string };
  if (status !== 200 || answer.accessToken === undefined || !answer.user)
    throw new ConfigError(`${email} is not logged in: ${answer.detail ?? `the API answered ${status}`}`);
  return { token: answer.accessToken, firstName: answer.user.firstName, lastName: answer.user.lastName };
}

/** What is bought, in words. */
function describe({ cart, shippingOption, evaluation, quote: { totals, taxIncluded } }: PreparedOrder): string[] {
  return [
    ...cart.lines.map(
      ({ quantity, sku, name, unitPrice }) => `${quantity} × ${sku} ${name}, ${amountOf(unitPrice)} each`,
    ),
    ...evaluation.campaigns
      .filter(({ applied }) => applied)
      .map(({ name, amount }) => `${name} takes off ${amountOf(amount)}`),
    ...evaluation.codes
      .filter(({ status }) => status !== 'applied')
      .map(({ code, status }) => `The code ${code} does not apply: ${status}`),
    `Shipping by ${shippingOption.name} costs ${amountOf(totals.shipping)}`,
    `In all ${amountOf(totals.total)}, with ${amountOf(totals.tax)} of tax ${taxIncluded ? 'in it' : 'on top'}`,
  ];
}

function amountOf(money: http.Money): string {
  return `${toDecimal(money)} ${money.currency}`;
}

function sender(apiUrl: string, token?: string): Send {
  return async (method, path, body, headers = {}) => {
    const url = new URL(path, apiUrl);
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ConfigError(`The API at ${apiUrl} does not answer: is it running? (${String(error)})`);
    });
    return { status: response.status, body: await response.json() };
  };
}
