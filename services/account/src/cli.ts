import { fact, ordersEvents, toEvent, topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { ConfigError, createLogger, loadConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { configSchema } from './config.ts';

const usage = `Commands of the account service. They read the same variables as the service does.

  place-order --user <id> --first-name <name> --last-name <name> [--email <address>] [--phone <number>]
              [--order <id>] [--trade] [--redemption <id>] [--line <product>:<quantity>:<unit price>]…
              [--discount <amount>] [--shipping <amount>] [--tax <amount>] [--currency <code>]

    publishes orders.order-placed over AMQP_URL, as an order system would; the same --order twice counts once. Amounts
    are in minor units, of EUR where no currency is given. The totals are made from the lines, less the discount, with
    shipping and tax. Without a line the order says nothing of lines and totals
`;
const { positionals, values } = readCommandLine(usage, {
  user: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  email: { type: 'string' },
  phone: { type: 'string' },
  order: { type: 'string', default: `order-${Date.now()}` },
  trade: { type: 'boolean', default: false },
  redemption: { type: 'string' },
  line: { type: 'string', multiple: true },
  discount: { type: 'string' },
  shipping: { type: 'string' },
  tax: { type: 'string' },
  currency: { type: 'string', default: 'EUR' },
});

const amount = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).optional();
const amounts = z
  .object({
    line: z.array(z.string().regex(/^[^:]+:\d+:\d+$/, 'must be <product>:<quantity>:<unit price>')).default([]),
    discount: amount,
    shipping: amount,
    tax: amount,
  })
  .refine(({ line, discount, shipping, tax }) => line.length > 0 || (discount ?? shipping ?? tax) === undefined, {
    error: '--discount, --shipping and --tax need a --line',
  });

try {
  if (positionals[0] !== 'place-order') throw new ConfigError(usage);
  process.stdout.write(`${await placeOrder()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function placeOrder(): Promise<string> {
  const schema = z.object({ AMQP_URL: configSchema.shape.AMQP_URL.unwrap() });
  const { AMQP_URL: url } = loadConfig(schema, process.env);
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
    tier: values.trade ? 'trade' : 'retail',
    ...linesAndTotals(),
    ...(values.redemption === undefined ? {} : { redemptionId: values.redemption }),
  });
  if (!order.success) throw wrong(order.error);
  const event = toEvent(fact(ordersEvents.orderPlaced, order.data.orderId, order.data), {
    sequence: 1,
    time: new Date(),
  });
  const bus = await connectRabbitmq({ url, topology, logger: createLogger('orders', 'warn'), name: 'orders' });
  try {
    const [published] = await bus.publish([event]);
    if (!published?.confirmed) throw new ConfigError(`Not published: ${published?.reason ?? 'no answer'}`);
    return `${event.id} tells of ${order.data.orderId}`;
  } finally {
    await bus.close();
  }
}

/** The lines with their totals; nothing where there is no line. */
function linesAndTotals() {
  const given = amounts.safeParse(values);
  if (!given.success) throw wrong(given.error);
  const { line, discount = 0, shipping = 0, tax = 0 } = given.data;
  if (line.length === 0) return {};
  const money = (minorUnits: number) => ({ amount: minorUnits, currency: values.currency });
  const lines = line.map((text) => {
    const [productId, quantity, unitPrice] = text.split(':');
    return { productId, quantity: Number(quantity), unitPrice: money(Number(unitPrice)) };
  });
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice.amount, 0);
  const total = money(subtotal - discount + shipping + tax);
  return {
    lines,
    total,
    totals: {
      subtotal: money(subtotal),
      discount: money(discount),
      shipping: money(shipping),
      tax: money(tax),
      total,
    },
  };
}

function wrong(error: z.ZodError): ConfigError {
  return new ConfigError(`${z.prettifyError(error)}\n\n${usage}`);
}
