import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planInstances } from './instances.ts';
import { openSecrets } from './secrets.ts';
import { gateway } from './services.ts';

const close = async () => undefined;
const backing = {
  mongodb: { url: 'mongodb://127.0.0.1:1', described: '', close },
  broker: { url: 'amqp://127.0.0.1:1', described: '', close },
  mail: { url: 'smtp://127.0.0.1:1', described: '', close },
};

it('every gateway gets what the one who starts the system says about limits and proxies, and can use it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-instances-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const { gateways } = await planInstances({
    env: { TRUST_PROXY: '10.0.0.4, 203.0.113.0/24', RATE_LIMIT_REFRESH: '99', MAX_USER_IN_FLIGHT: '7' },
    secrets: await openSecrets(dataDir),
    admin: { email: 'admin@example.com', password: 'a quiet lake' },
    backing,
    gatewayPorts: [1, 2],
    databasePrefix: '',
  });
  expect(gateways).toHaveLength(2);
  const { config } = await gateway.load();
  for (const { env } of gateways)
    expect(config.parse(env)).toMatchObject({
      TRUST_PROXY: ['10.0.0.4', '203.0.113.0/24'],
      RATE_LIMIT_REFRESH: 99,
      MAX_USER_IN_FLIGHT: 7,
    });
});
