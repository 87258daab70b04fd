import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
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
  return { dataDir, api, heard, resources, payments };
}

it('the demo provider tells the first gateway, and commands find both by a file that is there while it runs', async () => {
  const { dataDir, api, heard, resources, payments } = await open({});
  const { secret = '', url = '' } = payments.demo ?? {};
  const file = join(dataDir, 'payments.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ api, secret });
  expect((await stat(file)).mode & 0o077).toBe(0);
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${url}/api/callbacks`, { method: 'POST', headers, body: '{}' })).status).toBe(202);
  await eventually(() => heard.length === 1, 'the callback');
  expect(heard).toEqual(['/v1/payments/callbacks/demo']);
  await resources.disposeAsync();
  expect(await readdir(dataDir)).not.toContain('payments.json');

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
