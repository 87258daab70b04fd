import { describeConfig, loadConfig } from '@storefront/process';
import { expect, test } from 'vitest';
import { configSchema } from './config.ts';

const needed = {
  NODE_ENV: 'test',
  MONGODB_URL: 'mongodb://127.0.0.1/billing',
  INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'public' }),
  API_SECRET: 's'.repeat(32),
  SELLER_NAME: 'Storefront Ltd',
  SELLER_ADDRESS: 'Hamburg',
  SELLER_COUNTRY: 'DE',
  SELLER_VAT_NUMBER: 'DE987654321',
};
const secret = 'a secret of the tests';
const load = (variables: Record<string, string>) => loadConfig(configSchema, { ...needed, ...variables });

test('no provider is configured by default', () => {
  expect(load({})).toMatchObject({ PAYMENT_PROVIDERS: [] });
  expect(describeConfig(configSchema).map(({ name }) => name)).toContain('STRIPE_WEBHOOK_SECRETS');
});

test('a provider has one secret, or two', () => {
  const both = load({
    PAYMENT_PROVIDERS: 'demo, stripe',
    DEMO_PAYMENT_SECRETS: secret,
    DEMO_PAYMENT_URL: 'https://pay.example/',
    STRIPE_WEBHOOK_SECRETS: `${secret}, ${secret} too`,
  });
  expect(both).toMatchObject({
    PAYMENT_PROVIDERS: ['demo', 'stripe'],
    DEMO_PAYMENT_SECRETS: [secret],
    DEMO_PAYMENT_URL: 'https://pay.example',
    STRIPE_WEBHOOK_SECRETS: [secret, `${secret} too`],
  });
});

test.each([
  ['SELLER_ADDRESS', 'The address of the shop'],
  ['SELLER_VAT_NUMBER', 'DE000000000'],
])('production refuses the example of %s', (variable, example) => {
  const production = { NODE_ENV: 'production', [variable]: example };
  expect(() => load(production)).toThrow(`${variable}: is an example value`);
  expect(load({ ...production, NODE_ENV: 'development' })).toMatchObject({ [variable]: example });
});

const demo = { PAYMENT_PROVIDERS: 'demo', DEMO_PAYMENT_SECRETS: secret, DEMO_PAYMENT_URL: 'https://pay.example' };
test.each<[what: string, variables: Record<string, string>, line: RegExp]>([
  ['stripe without a secret', { PAYMENT_PROVIDERS: 'stripe' }, /STRIPE_WEBHOOK_SECRETS: is required, and not empty/],
  ['an empty secret', { ...demo, DEMO_PAYMENT_SECRETS: '' }, /DEMO_PAYMENT_SECRETS: is required, and not empty/],
  [
    'a second secret that is empty',
    { ...demo, DEMO_PAYMENT_SECRETS: `${secret},` },
    /DEMO_PAYMENT_SECRETS: must be one/,
  ],
  ['blanks for a secret', { ...demo, DEMO_PAYMENT_SECRETS: ' '.repeat(20) }, /DEMO_PAYMENT_SECRETS: must be one/],
  ['three secrets', { ...demo, DEMO_PAYMENT_SECRETS: [1, 2, 3].map((n) => secret + n).join() }, /SECRETS: must be one/],
  ['demo without its page', { ...demo, DEMO_PAYMENT_URL: '' }, /DEMO_PAYMENT_URL: is required/],
  ['demo in production', { ...demo, NODE_ENV: 'production' }, /PAYMENT_PROVIDERS: must not name demo in production/],
  ['an unknown provider', { PAYMENT_PROVIDERS: 'other' }, /PAYMENT_PROVIDERS: /],
])('%s stops the start', (_what, variables, line) => {
  expect(() => load(variables)).toThrow(line);
});
