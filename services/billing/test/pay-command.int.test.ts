import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { plainEnv } from '@storefront/testing';
import { expect, it, onTestFinished } from 'vitest';

const secret = 'a-secret-of-this-test-of-32-characters';

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

/** Whether the secret made the signature. */
function isSigned({ body, signature }: Heard): boolean {
  const [, seconds, mac] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
  return mac === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

/** Runs the command with nothing but these variables. */
function pay(env: Record<string, string>, ...args: readonly string[]) {
  const file = new URL('../src/cli.ts', import.meta.url).pathname;
  return promisify(execFile)(process.execPath, ['--conditions=source', file, 'pay', ...args], {
    env: { ...plainEnv, ...env },
  });
}

/** What the command says where it fails. */
async function refusalOf(env: Record<string, string>, ...args: readonly string[]): Promise<string> {
  const { stderr } = await pay(env, ...args).then(
    () => ({ stderr: 'it did not fail' }),
    (error: unknown) => error as { stderr: string },
  );
  return stderr;
}

it('states that an invoice was paid, signed by the first of two secrets', async () => {
  const { api, heard } = await startGateway();
  const env = { API_URL: api, DEMO_PAYMENT_SECRETS: `${secret}, the-old-one` };
  const { stdout } = await pay(env, 'INV-2026-000123', '120.00');
  expect(stdout).toMatch(/^evt_[\w-]+ states that 120\.00 EUR were paid for INV-2026-000123\.\n$/);
  const [callback] = heard;
  expect(callback?.path).toBe('/v1/payments/callbacks/demo');
  expect(heard.map(isSigned)).toEqual([true]);
  expect(JSON.parse(callback?.body ?? '')).toEqual({
    id: stdout.split(' ')[0],
    type: 'payment.succeeded',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      invoiceNumber: 'INV-2026-000123',
      amount: { amount: 12_000, currency: 'EUR' },
      providerReference: expect.stringMatching(/^cli_/),
    },
  });
});

it('finds the system that runs on the data folder', async () => {
  const { api, heard } = await startGateway();
  const folder = await mkdtemp(join(tmpdir(), 'storefront-pay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'running.json'), JSON.stringify({ API_URL: api, DEMO_PAYMENT_SECRETS: secret }));
  await pay({ DATA_DIR: folder }, 'INV-2026-000123', '1500', '--currency=JPY');
  expect(heard.map(isSigned)).toEqual([true]);
  expect(heard.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
    { amount: { amount: 1500, currency: 'JPY' } },
  ]);
});

it('says what is wrong, and what to do', async () => {
  const { api } = await startGateway(401);
  const env = { API_URL: api, DEMO_PAYMENT_SECRETS: secret };
  expect(await refusalOf(env, 'INV-2026-000123', '120.005')).toBe(
    '"120.005" is no amount in EUR, such as 120.00 in EUR.\n',
  );
  expect(await refusalOf(env, 'INV-2026-000123')).toMatch(/^Commands of the billing service/);
  expect(await refusalOf(env, 'INV-2026-000123', '120.00')).toContain('answered 401: {"code":"signature_invalid"}');
  const nowhere = { DATA_DIR: '/nowhere' };
  expect(await refusalOf(nowhere, 'INV-2026-000123', '120.00')).toMatch(
    /API_URL: is required\n {2}DEMO_PAYMENT_SECRETS: is required/,
  );
  const gone = { ...env, API_URL: 'http://127.0.0.1:9' };
  expect(await refusalOf(gone, 'INV-2026-000123', '120.00')).toContain('does not answer: is it running?');
});
