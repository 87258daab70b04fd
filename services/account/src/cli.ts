import { fact, ordersEvents, toEvent, topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { ConfigError, createLogger, loadConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { configSchema } from './config.ts';

const usage = `Commands of the account service. They read the same variables as the service does.

  place-order --user <id> --first-name <name> --last-name <name> [--email <address>] [--phone <number>]
              [--order <id>] [--product <id>] [--quantity <n>] [--amount <minor units>] [--currency <code>] [--trade]

    publishes orders.order-placed over AMQP_URL, as an order system would; the same --order twice counts once
`;
const { positionals, values } = readCommandLine(usage, {
  user: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  email: { type: 'string' },
  phone: { type: 'string' },
  order: { type: 'string', default: `order-${Date.now()}` },
  product: { type: 'string', default: 'none' },
  quantity: { type: 'string', default: '1' },
  amount: { type: 'string', default: '1000' },
  currency: { type: 'string', default: 'EUR' },
  trade: { type: 'boolean', default: false },
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
  const amount = Number(values.amount);
  const quantity = Number(values.quantity);
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
    total: { amount: amount * quantity, currency: values.currency },
    lines: [{ productId: values.product, quantity, unitPrice: { amount, currency: values.currency } }],
  });
  if (!order.success) throw new ConfigError(`${z.prettifyError(order.error)}\n\n${usage}`);
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
