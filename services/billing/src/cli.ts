import { createHmac, randomUUID } from 'node:crypto';
import { fromDecimal, toDecimal } from '@storefront/money';
import { noRelay, openDatabase } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { configSchema } from './config.ts';
import { openStore } from './store/collections.ts';

const usage = `Commands of the billing service.

  pay <invoice number> <amount> [--currency <code>]   such as: pay INV-2026-000123 120.00

    sends the callback by which the demo payment provider states that this amount was paid for the invoice, which has to be
    in the database of the service. The amount is in EUR where no currency is given. It goes to API_URL, signed by the first
    of DEMO_PAYMENT_SECRETS; by default to the system that npm start runs on DATA_DIR (.data)
`;
const { positionals, values } = readCommandLine(usage, { currency: { type: 'string' } });

const variables = z.object({
  MONGODB_URL: configSchema.shape.MONGODB_URL,
  API_URL: z.url({ protocol: /^https?$/ }),
  DEMO_PAYMENT_SECRETS: z.string(),
  CURRENCY: z.string().default('EUR'),
});

try {
  const [command, invoiceNumber, amount, ...others] = positionals;
  if (command !== 'pay' || invoiceNumber === undefined || amount === undefined || others.length > 0)
    throw new ConfigError(usage);
  process.stdout.write(`${await pay(invoiceNumber, amount)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function pay(invoiceNumber: string, text: string): Promise<string> {
  const config = loadCommandConfig(variables, 'billing');
  const currency = values.currency ?? config.CURRENCY;
  const amount = fromDecimal(text, currency);
  if (amount === undefined) throw new ConfigError(`"${text}" is no amount in ${currency}, such as 120.00 in EUR.`);
  if (!(await hasInvoice(config.MONGODB_URL, invoiceNumber)))
    throw new ConfigError(`There is no invoice ${invoiceNumber}.`);
  const [secret = ''] = config.DEMO_PAYMENT_SECRETS.split(',').map((each) => each.trim());

  const id = `evt_${randomUUID()}`;
  const money = { amount, currency };
  const data = { invoiceNumber, amount: money, providerReference: `cli_${randomUUID()}` };
  const body = JSON.stringify({ id, type: 'payment.succeeded', createdAt: new Date().toISOString(), data });
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'payment-signature': `t=${seconds},v1=${signature}` };
  const url = new URL('/v1/payments/callbacks/demo', config.API_URL);
  const response = await fetch(url, { method: 'POST', headers, body }).catch((error: unknown) => {
    throw new ConfigError(`The API at ${config.API_URL} does not answer: is it running? (${String(error)})`);
  });
  if (!response.ok) throw new ConfigError(`${url.href} answered ${response.status}: ${await response.text()}`);
  return `${id} states that ${toDecimal(money)} ${currency} were paid for ${invoiceNumber}.`;
}

async function hasInvoice(mongodbUrl: string, number: string): Promise<boolean> {
  const database = await openDatabase(mongodbUrl, createLogger('billing', 'warn'));
  try {
    const { invoices } = openStore({ database, relay: noRelay, now: () => new Date() });
    return (await invoices.findOne({ number }, { hint: 'by_number', fields: ['number'] })) !== null;
  } finally {
    await database.close();
  }
}
