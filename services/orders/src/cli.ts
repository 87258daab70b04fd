import { text } from 'node:stream/consumers';
import { noRelay, openDatabase } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { openOrders } from './checkout/checkout.ts';
import { nextNumber, nextNumberOptions, nextNumberUsage } from './commands/next-number.ts';
import { place, placeOptions, placeUsage } from './commands/place.ts';
import { publishPlaced, publishPlacedOptions, publishPlacedUsage } from './commands/publish-placed.ts';
import { configSchema } from './config.ts';

const usage = `Commands of the orders service. They read the same variables as the service does; what is not set comes
from the system that npm start runs on DATA_DIR (.data).

${placeUsage}
${publishPlacedUsage}
${nextNumberUsage}`;
const [name = '', ...args] = process.argv.slice(2);
const say = (line: string) => void process.stderr.write(`${line}\n`);

const commands: Record<string, () => Promise<string>> = {
  place() {
    const { values } = readCommandLine(usage, placeOptions, args);
    const schema = configSchema.pick({ API_URL: true }).extend({
      DEMO_PAYMENT_URL: z.url({ protocol: /^https?$/ }).optional(),
      BUYER_PASSWORD: z.string().optional(),
    });
    const config = loadCommandConfig(schema);
    return place(values, {
      apiUrl: config.API_URL,
      demoPaymentUrl: config.DEMO_PAYMENT_URL,
      readPassword: async () => config.BUYER_PASSWORD ?? (await text(process.stdin)).trim(),
      say,
    });
  },
  async 'next-number'() {
    const { values } = readCommandLine(usage, nextNumberOptions, args);
    const { MONGODB_URL } = loadCommandConfig(configSchema.pick({ MONGODB_URL: true }), 'orders');
    const database = await openDatabase(MONGODB_URL, createLogger('orders', 'warn'));
    try {
      const store = openOrders({ database, relay: noRelay, now: () => new Date() });
      return await nextNumber(values, store);
    } finally {
      await database.close();
    }
  },
  'publish-placed'() {
    const { values } = readCommandLine(usage, publishPlacedOptions, args);
    const percent = z.string().regex(/^\d{1,3}(\.\d{1,2})?$/, 'must be per cent, with two decimals at most');
    const schema = z.object({
      AMQP_URL: configSchema.shape.AMQP_URL.unwrap(),
      DEFAULT_TAX_RATE: percent.default('19'),
    });
    const config = loadCommandConfig(schema);
    return publishPlaced(values, { amqpUrl: config.AMQP_URL, defaultTaxRate: config.DEFAULT_TAX_RATE });
  },
};

try {
  const command = commands[name];
  if (!command) {
    readCommandLine(usage, {}, [name, ...args]);
    throw new ConfigError(usage);
  }
  process.stdout.write(`${await command()}\n`);
} catch (error) {
  say(error instanceof ConfigError ? error.message : String(error));
  process.exitCode = 1;
}
