import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommand, startCommand } from '@storefront/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { admin, startBilling, type Harness } from './harness.ts';

const secret = 'a-secret-of-this-test-of-32-characters';

let billing: Harness;
let number = '';
beforeAll(async () => {
  billing = await startBilling();
  const { id: accountId } = await billing.newAccount();
  const lines = [{ description: 'Tea', quantity: 1, unitPrice: { amount: 12_000, currency: 'EUR' }, taxRate: 0 }];
  ({ number } = (await billing.call(admin, 'POST', '/v1/invoices', { accountId, lines })).body);
});
afterAll(() => billing.close());

interface Heard {
  readonly path: string;
  readonly body: string;
  readonly signature: string;
}

/** A gateway that hears callbacks. */
async function startGateway(status = 200) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      heard.push({ path: String(request.url), body, signature: String(request.headers['payment-signature']) });
      response.writeHead(status).end('{"code":"signature_invalid"}');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** What the command needs to know of the service and of that gateway. */
const servers = (api: string) => ({
  MONGODB_URL: String(billing.settings.MONGODB_URL),
  API_URL: api,
  DEMO_PAYMENT_SECRETS: secret,
});

/** Whether the secret made the signature. */
function isSigned({ body, signature }: Heard): boolean {
  const [, seconds, mac] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
  return mac === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

const cli = new URL('../src/cli.ts', import.meta.url);

/** What the command says where it fails. */
async function refusalOf(env: Record<string, string>, ...args: readonly string[]): Promise<string> {
  const { code, err } = await runCommand(cli, ['pay', ...args], env);
  return code === 1 ? err : `it ended with ${code}`;
}

it('states that an invoice was paid, signed by the first of two secrets', async () => {
  const { api, heard } = await startGateway();
  const env = { ...servers(api), DEMO_PAYMENT_SECRETS: `${secret}, the-old-one` };
  const { code, out } = await startCommand(cli, ['pay', number, '120.00'], env).outcome;
  expect(code).toBe(0);
  expect(out).toMatch(/^evt_[\w-]+ states that 120\.00 EUR were paid for INV-\d{4}-000001\.\n$/);
  const [callback] = heard;
  expect(callback?.path).toBe('/v1/payments/callbacks/demo');
  expect(heard.map(isSigned)).toEqual([true]);
  expect(JSON.parse(callback?.body ?? '')).toEqual({
    id: out.split(' ')[0],
    type: 'payment.succeeded',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      invoiceNumber: number,
      amount: { amount: 12_000, currency: 'EUR' },
      providerReference: expect.stringMatching(/^cli_/),
    },
  });
});

it('finds the system that runs on the data folder', async () => {
  const { api, heard } = await startGateway();
  const folder = await mkdtemp(join(tmpdir(), 'storefront-pay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { MONGODB_URL, ...variables } = servers(api);
  const running = { pid: process.pid, variables, databases: { billing: MONGODB_URL } };
  await writeFile(join(folder, 'running.json'), JSON.stringify(running));
  expect(await runCommand(cli, ['pay', number, '1500', '--currency=JPY'], { DATA_DIR: folder })).toMatchObject({
    code: 0,
  });
  expect(heard.map(isSigned)).toEqual([true]);
  expect(heard.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
    { amount: { amount: 1500, currency: 'JPY' } },
  ]);
});

it('says what is wrong, and what to do', async () => {
  const { api, heard } = await startGateway(401);
  const env = servers(api);
  expect(await refusalOf(env, number, '120.005')).toBe('"120.005" is no amount in EUR, such as 120.00 in EUR.\n');
  expect(await refusalOf(env, number)).toMatch(/^Commands of the billing service/);
  expect(await refusalOf(env, 'INV-2026-999999', '120.00')).toBe('There is no invoice INV-2026-999999.\n');
  expect(heard).toEqual([]);
  expect(await refusalOf(env, number, '120.00')).toContain('answered 401: {"code":"signature_invalid"}');
  expect(await refusalOf({ DATA_DIR: '/nowhere' }, number, '120.00')).toBe(
    'no running system found in /nowhere; set DATA_DIR\nThe configuration is not valid:\n' +
      '  MONGODB_URL: is required\n  API_URL: is required\n  DEMO_PAYMENT_SECRETS: is required\n',
  );
  const gone = { ...env, API_URL: 'http://127.0.0.1:9' };
  expect(await refusalOf(gone, number, '120.00')).toContain('does not answer: is it running?');
});
