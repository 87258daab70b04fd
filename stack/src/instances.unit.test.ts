import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planInstances } from './instances.ts';
import type { Payments } from './payments.ts';
import { openSecrets } from './secrets.ts';
import { gateway } from './services.ts';

const close = async () => undefined;
const backing = {
  mongodb: { url: 'mongodb://127.0.0.1:1', described: '', close },
  broker: { url: 'amqp://127.0.0.1:1', described: '', close },
  mail: { url: 'smtp://127.0.0.1:1', described: '', close },
};

async function plan(options: {
  env: NodeJS.ProcessEnv;
  instancesOfEach: number;
  payments?: Payments;
  storefront?: string;
}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-instances-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return planInstances({
    payments: {},
    storefront: null,
    ...options,
    secrets: await openSecrets(dataDir),
    admin: { email: 'admin@example.com', password: 'a quiet lake' },
    backing,
    gatewayPorts: [1, 2],
    databasePrefix: '',
  });
}

it('every gateway gets what the one who starts the system says about limits and proxies, and can use it', async () => {
  const { gateways } = await plan({
    env: { TRUST_PROXY: '10.0.0.4, 203.0.113.0/24', RATE_LIMIT_REFRESH: '99', MAX_USER_IN_FLIGHT: '7' },
    instancesOfEach: 1,
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

it('with the example shop, links in mails and the way back from a payment lead there, and the gateways trust it', async () => {
  const { gateways, services } = await plan({ env: {}, instancesOfEach: 1, storefront: 'http://localhost:3080' });
  for (const { env } of [...gateways, ...services])
    expect(env).toMatchObject({
      SHOP_URL: 'http://localhost:3080',
      RETURN_URLS: 'http://localhost:3080/,http://localhost:*,http://127.0.0.1:*',
      UNSUBSCRIBE_URL: 'http://localhost:3080/unsubscribe',
      WEBAUTHN_ORIGINS: 'http://localhost:1,http://localhost:3080',
      TRUST_PROXY: '127.0.0.1',
    });
  expect(gateways[0]?.env).not.toHaveProperty('STAND_IN_SHOP');
  const [without] = (await plan({ env: {}, instancesOfEach: 1 })).gateways;
  expect(without?.env).toMatchObject({ SHOP_URL: 'http://127.0.0.1:1/shop', STAND_IN_SHOP: 'on' });
  expect(without?.env).not.toHaveProperty('TRUST_PROXY');
  // Mails lead to the page of the API then.
  expect(without?.env).not.toHaveProperty('UNSUBSCRIBE_URL');
});

it('one instance of a service has its name; several have numbers, and every gateway knows all of them', async () => {
  const alone = await plan({ env: {}, instancesOfEach: 1 });
  expect(alone.services.map(({ name }) => name)).toEqual([
    'identity',
    'account',
    'catalog',
    'engagement',
    'billing',
    'orders',
    'health',
  ]);

  const { services, gateways } = await plan({ env: {}, instancesOfEach: 2 });
  const names = services.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['identity-1', 'identity-2', 'account-1']);
  const [first, second] = services;
  expect(new Set(services.map(({ url }) => url)).size).toBe(14);
  expect(first?.env.MONGODB_URL).toBe(second?.env.MONGODB_URL);
  for (const { env } of gateways) expect(env.UPSTREAM_IDENTITY).toBe(`${first?.url},${second?.url}`);
  const health = services.find(({ name }) => name === 'health-2');
  const watched = health?.env.SERVICES?.split(',').map((entry) => entry.split('=')[0]);
  expect(watched).toEqual([...names.map((name) => name.replace(/-\d$/, '')), 'gateway', 'gateway']);
});

it('payments are signed by the demo provider, and the environment says otherwise where it does', async () => {
  const payments = { demo: { secret: 'made by the stack', url: 'http://127.0.0.1:9' } };
  const envOf = async (env: NodeJS.ProcessEnv, started: Payments = payments) =>
    (await plan({ env, instancesOfEach: 1, payments: started })).services[0]?.env;
  expect(await envOf({})).toMatchObject({
    PAYMENT_PROVIDERS: 'demo',
    DEMO_PAYMENT_SECRETS: 'made by the stack',
    DEMO_PAYMENT_URL: 'http://127.0.0.1:9',
    SELLER_COUNTRY: 'DE',
    BANK_BIC: 'COBADEFFXXX',
  });
  const own = { PAYMENT_PROVIDERS: 'demo,stripe', DEMO_PAYMENT_SECRETS: 'new,old', SELLER_COUNTRY: 'NL' };
  expect(await envOf(own)).toMatchObject(own);
  expect(await envOf({ BANK_IBAN: 'NL91ABNA0417164300' })).not.toHaveProperty('BANK_BIC');
  expect(await envOf({ PAYMENT_PROVIDERS: 'stripe' }, {})).not.toHaveProperty('DEMO_PAYMENT_SECRETS');
});

it('a variable with the name of an instance is for that one alone', async () => {
  const env = { MONGODB_URL_IDENTITY_2: 'mongodb://127.0.0.1:2', AMQP_URL_GATEWAY_1: 'amqp://127.0.0.1:3' };
  const { services, gateways } = await plan({ env, instancesOfEach: 2 });
  expect(services.slice(0, 2).map((each) => each.env.MONGODB_URL)).toEqual([
    'mongodb://127.0.0.1:1/identity',
    'mongodb://127.0.0.1:2/identity',
  ]);
  expect(gateways.map((each) => each.env.AMQP_URL)).toEqual(['amqp://127.0.0.1:3', 'amqp://127.0.0.1:1']);
});
