import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@storefront/testing';
import { expect, it, onTestFinished } from 'vitest';
import { startPayments } from './payments.ts';
import { openSecrets } from './secrets.ts';

/** A gateway that hears callbacks, by their paths. */
async function startGateway() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(String(request.url));
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function open(env: NodeJS.ProcessEnv, dataDirOf?: string) {
  const dataDir = dataDirOf ?? (await mkdtemp(join(tmpdir(), 'storefront-payments-')));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { api, heard } = await startGateway();
  const resources = new AsyncDisposableStack();
  onTestFinished(() => resources.disposeAsync());
  const secrets = await openSecrets(dataDir);
  const payments = await startPayments({ env, secrets, dataDir, api, say: () => undefined, resources });
  return { dataDir, heard, resources, payments };
}

it('the demo provider calls the first gateway back, and is the same one at the next start', async () => {
  const { dataDir, heard, resources, payments } = await open({});
  const { secret = '', url = '' } = payments.demo ?? {};
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${url}/api/callbacks`, { method: 'POST', headers, body: '{}' })).status).toBe(202);
  await eventually(() => heard.length === 1, 'the callback');
  expect(heard).toEqual(['/v1/payments/callbacks/demo']);
  await resources.disposeAsync();
  const again = await open({}, dataDir);
  expect(again.payments).toEqual(payments);
});

it('the first of two secrets signs', async () => {
  const { payments } = await open({ DEMO_PAYMENT_SECRETS: 'the-new-secret-of-32-characters, the-old-one' });
  expect(payments.demo?.secret).toBe('the-new-secret-of-32-characters');
});

it('without the demo provider nothing is started', async () => {
  const { payments, dataDir } = await open({ PAYMENT_PROVIDERS: 'stripe' });
  expect(payments).toEqual({});
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
});

it('a port that is in use is named, with what to do', async () => {
  const { api } = await startGateway();
  await expect(open({ PAYMENTS_PORT: new URL(api).port })).rejects.toThrow(/EADDRINUSE.*set PAYMENTS_PORT to another/);
});
