import { fact, ordersEvents, toEvent, topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { ConfigError, createLogger } from '@storefront/process';
import { z } from 'zod';
import { taxOnTop } from '../domain/tax-on-top.ts';

export const publishPlacedUsage = `  publish-placed --user <id> --first-name <name> --last-name <name> [--email <address>] [--phone <number>]
                 [--order <id>] [--trade] [--on-account] [--reference <text>] [--redemption <id>]
                 [--line <product>:<quantity>:<unit price>[:<tax rate>[:<description>]]]…
                 [--discount <amount>] [--shipping <amount>] [--tax <amount>] [--currency <code>]

    publishes orders.order-placed over AMQP_URL, as an order system outside would that takes orders itself; the same
    --order twice counts once. Amounts are in minor units, of EUR where no currency is given; tax rates are in per cent.
    The totals are made from the lines, less the discount, with shipping and tax. Without a line the order says nothing
    of lines and totals.
    --on-account is an order of a trade account that pays by invoice: --reference is its own order number, and where
    no --tax is given the totals are without tax, which the invoice adds. Other orders have the tax of --tax; else,
    where a line has a tax rate, the tax that follows from the lines, with the rate of DEFAULT_TAX_RATE (19) for
    shipping and for lines that have none
`;

export const publishPlacedOptions = {
  user: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  email: { type: 'string' },
  phone: { type: 'string' },
  order: { type: 'string', default: `order-${Date.now()}` },
  trade: { type: 'boolean', default: false },
  'on-account': { type: 'boolean', default: false },
  reference: { type: 'string' },
  redemption: { type: 'string' },
  line: { type: 'string', multiple: true },
  discount: { type: 'string' },
  shipping: { type: 'string' },
  tax: { type: 'string' },
  currency: { type: 'string', default: 'EUR' },
} as const;

const amount = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).optional();
const amounts = z
  .object({
    line: z
      .array(
        z
          .string()
          .regex(
            /^[^:]+:\d+:\d+(:\d{1,3}(\.\d{1,2})?(:.+)?)?$/,
            'must be <product>:<quantity>:<unit price>[:<tax rate>[:<description>]]',
          ),
      )
      .default([]),
    discount: amount,
    shipping: amount,
    tax: amount,
  })
  .refine(({ line, discount, shipping, tax }) => line.length > 0 || (discount ?? shipping ?? tax) === undefined, {
    error: '--discount, --shipping and --tax need a --line',
  });

/** The options as they are given. */
export interface PlacedOptions {
  readonly user?: string | undefined;
  readonly 'first-name'?: string | undefined;
  readonly 'last-name'?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly order: string;
  readonly trade: boolean;
  readonly 'on-account': boolean;
  readonly reference?: string | undefined;
  readonly redemption?: string | undefined;
  readonly line?: readonly string[] | undefined;
  readonly discount?: string | undefined;
  readonly shipping?: string | undefined;
  readonly tax?: string | undefined;
  readonly currency: string;
}

/**
 * Publishes the event of the order, and returns a sentence about it. `defaultTaxRate` is in per cent. Throws a ConfigError
 * with everything that is wrong with the options, and where the broker does not take the event.
 */
export async function publishPlaced(
  values: PlacedOptions,
  { amqpUrl, defaultTaxRate }: { readonly amqpUrl: string; readonly defaultTaxRate: string },
): Promise<string> {
  const order = ordersEvents.orderPlaced.data.safeParse({
    orderId: values.order,
    userId: values.user,
    recipient: {
      firstName: values['first-name'],
      lastName: values['last-name'],
      ...(values.email === undefined ? {} : { email: values.email }),
      ...(values.phone === undefined ? {} : { phone: values.phone }),
    },
    placedAt: new Date().toISOString(),
    tier: values.trade || values['on-account'] ? 'trade' : 'retail',
    ...(values['on-account'] ? { paymentTerms: 'invoice' } : {}),
    ...(values.reference === undefined ? {} : { reference: values.reference }),
    ...linesAndTotals(values, defaultTaxRate),
    ...(values.redemption === undefined ? {} : { redemptionId: values.redemption }),
  });
  if (!order.success) throw wrong(order.error);
  const event = toEvent(fact(ordersEvents.orderPlaced, order.data.orderId, order.data), {
    sequence: 1,
    time: new Date(),
  });
  const bus = await connectRabbitmq({ url: amqpUrl, topology, logger: createLogger('orders', 'warn'), name: 'orders' });
  try {
    const [published] = await bus.publish([event]);
    if (!published?.confirmed) throw new ConfigError(`Not published: ${published?.reason ?? 'no answer'}`);
    return `${event.id} tells of ${order.data.orderId}`;
  } finally {
    await bus.close();
  }
}

/** The lines of the order with their totals; an empty object where no line was given. */
function linesAndTotals(values: PlacedOptions, defaultTaxRate: string) {
  const given = amounts.safeParse(values);
  if (!given.success) throw wrong(given.error);
  const { line, discount = 0, shipping = 0 } = given.data;
  if (line.length === 0) return {};
  const money = (minorUnits: number) => ({ amount: minorUnits, currency: values.currency });
  const parts = line.map((text) => {
    const [productId, quantity, unitPrice, taxRate, ...description] = text.split(':');
    return {
      productId,
      quantity: Number(quantity),
      unitPrice: Number(unitPrice),
      taxRate,
      description: description.join(':') || undefined,
    };
  });
  const subtotal = parts.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  const tax = given.data.tax ?? (values['on-account'] ? undefined : computedTax());
  return {
    lines: parts.map(({ unitPrice, taxRate, description, ...part }) => ({
      ...part,
      unitPrice: money(unitPrice),
      ...(taxRate === undefined ? {} : { taxRate: Number(taxRate) }),
      ...(description === undefined ? {} : { description }),
    })),
    totals: {
      subtotal: money(subtotal),
      // Engagement lowers the discounts that it holds for the redemption to the amounts in the order. An amount whose
      // option was left out is not sent, so that it lowers nothing.
      ...(values.redemption !== undefined && given.data.discount === undefined ? {} : { discount: money(discount) }),
      ...(values.redemption !== undefined && given.data.shipping === undefined ? {} : { shipping: money(shipping) }),
      ...(tax === undefined ? {} : { tax: money(tax) }),
      total: money(subtotal - discount + shipping + (tax ?? 0)),
    },
  };

  function computedTax(): number {
    if (parts.every(({ taxRate }) => taxRate === undefined)) return 0;
    const rateOf = (taxRate = defaultTaxRate) => basisPoints(taxRate);
    try {
      return taxOnTop(
        parts.map(({ taxRate, ...part }) => ({ ...part, taxRate: rateOf(taxRate) })),
        { unitPrice: shipping, taxRate: rateOf() },
        discount,
      );
    } catch (error) {
      if (error instanceof RangeError) throw new ConfigError(`There is no tax of this order: ${error.message}`);
      throw error;
    }
  }
}

/** Converts per cent in text to basis points, digit by digit and so without rounding: `7.5` becomes 750. */
function basisPoints(percent: string): number {
  const [whole = '', decimals = ''] = percent.split('.');
  return Number(whole + decimals.padEnd(2, '0'));
}

function wrong(error: z.ZodError): ConfigError {
  return new ConfigError(`${z.prettifyError(error)}\n\n${publishPlacedUsage}`);
}
