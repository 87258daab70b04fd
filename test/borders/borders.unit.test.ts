import { describe, expect, it } from 'vitest';
import { misplaced, violations } from '../../scripts/border-rules.ts';
import { readImports, readSources } from '../../scripts/imports.ts';

describe('the borders between the parts', () => {
  it('are crossed by no import of the project', async () => {
    const imports = await readImports();
    expect(imports.length).toBeGreaterThan(100);
    expect(violations(imports)).toEqual([]);
  });

  it.each([
    ['services/identity/src/domain/user.ts', 'mongoose'],
    ['services/identity/src/domain/user.ts', '@storefront/mongo'],
    ['services/identity/src/domain/user.ts', '@storefront/http'],
    ['services/identity/src/domain/user.ts', 'node:fs'],
    ['services/identity/src/domain/user.ts', 'services/identity/src/store/users.ts'],
    ['services/identity/src/domain/user.ts', 'services/identity/src/secrets/codes.ts'],
    ['services/identity/src/domain/user.ts', 'services/identity/src/commands/log-in.ts'],
    ['services/identity/src/routes/login.ts', 'mongoose'],
    ['services/identity/src/routes/login.ts', 'services/identity/src/store/users.ts'],
    ['services/identity/src/routes/login.ts', 'services/identity/src/events/subscriptions.ts'],
    ['services/identity/src/commands/log-in.ts', 'fastify'],
    ['services/identity/src/commands/log-in.ts', 'services/identity/src/routes/login.ts'],
    ['services/identity/src/commands/log-in.ts', 'services/identity/src/store/users.ts'],
    ['services/identity/src/commands/log-in.ts', 'services/identity/src/secrets/codes.ts'],
    ['services/identity/src/store/users.ts', 'services/identity/src/commands/log-in.ts'],
    ['services/engagement/src/messaging/domain/mail.ts', 'services/engagement/src/messaging/store/mails.ts'],
    ['services/engagement/src/messaging/commands/send.ts', 'services/engagement/src/messaging/store/deliveries.ts'],
    ['services/engagement/src/messaging/commands/send.ts', 'services/engagement/src/promotions/domain/campaign.ts'],
    ['services/engagement/src/messaging/messaging.ts', 'services/engagement/src/promotions/store/campaigns.ts'],
    ['services/engagement/src/service.ts', 'services/engagement/src/promotions/routes/campaigns.ts'],
    ['services/identity/src/service.ts', '@storefront/engagement'],
    ['services/identity/src/service.ts', '@storefront/one-day'],
    ['services/identity/src/service.ts', 'services/engagement/src/service.ts'],
    ['examples/storefront/src/cart.ts', '@storefront/contracts'],
    ['gateway/src/app.ts', '@storefront/identity'],
    ['gateway/src/app.ts', '@storefront/mongo'],
    ['gateway/src/app.ts', '@storefront/service'],
    ['packages/http/src/server.ts', '@storefront/mongo'],
    ['packages/mongo/src/relay.ts', '@storefront/identity'],
    ['services/identity/src/service.ts', '@storefront/testing'],
    ['services/identity/src/service.ts', '@storefront/demo-provider'],
    ['gateway/src/app.ts', '@storefront/demo-provider'],
    ['services/identity/src/service.ts', 'packages/mongo/src/relay.ts'],
    ['packages/contracts/src/event.ts', '@storefront/mongo'],
  ])('%s must not import %s', (file, imported) => {
    expect(violations([{ file, imported }])).not.toEqual([]);
  });

  it.each([
    ['services/identity/src/domain/user.ts', '@storefront/contracts', false],
    ['services/identity/src/routes/login.ts', 'services/identity/src/domain/user.ts', false],
    ['services/identity/src/routes/login.ts', 'services/identity/src/commands/log-in.ts', false],
    ['services/identity/src/commands/log-in.ts', 'services/identity/src/store/users.ts', true],
    ['services/identity/src/store/users.ts', 'mongoose', false],
    ['services/engagement/src/service.ts', 'services/engagement/src/promotions/promotions.ts', false],
    ['services/engagement/src/messaging/commands/send.ts', 'services/engagement/src/promotions/promotions.ts', false],
    ['services/engagement/src/messaging/messaging.ts', 'services/engagement/src/messaging/store/mails.ts', false],
    ['services/engagement/src/messaging/domain/mail.ts', 'services/engagement/src/domain/money.ts', false],
    ['services/identity/src/secrets/keys.ts', 'services/identity/src/domain/keyring.ts', false],
    ['packages/service/src/serve.ts', '@storefront/mongo', false],
  ])('%s may import %s', (file, imported, isType) => {
    expect(violations([{ file, imported, isType }])).toEqual([]);
  });
});

it('areas import each other in one direction only, also by way of a third', () => {
  const front = (area: string) => `services/engagement/src/${area}/${area}.ts`;
  const circle = [
    { file: front('messaging'), imported: front('promotions') },
    { file: front('promotions'), imported: front('analytics') },
    { file: front('analytics'), imported: front('messaging') },
  ];
  expect(violations(circle)).toHaveLength(3);
  expect(violations(circle.slice(1))).toEqual([]);
});

describe('the rooms of a service', () => {
  it('hold every file of every service, and the domains are pure', async () => {
    expect(misplaced(await Array.fromAsync(readSources()))).toEqual([]);
  });

  it.each([
    ['services/identity/src/outreach.ts', ''],
    ['services/identity/src/helpers/text.ts', ''],
    ['services/engagement/src/messaging/text.ts', ''],
    ['services/identity/src/domain/user.ts', 'export async function load() {}'],
    ['services/identity/src/domain/user.ts', 'const load = (): Promise<void> => later;'],
    ['services/engagement/src/messaging/domain/mail.ts', 'const at = Date.now();'],
    ['services/identity/src/domain/user.ts', 'const at = new Date();'],
  ])('have no place for %s with %j', (file, code) => {
    expect(misplaced([{ file, code }])).toHaveLength(1);
  });

  it('let comments speak of a promise', () => {
    expect(misplaced([{ file: 'services/identity/src/domain/user.ts', code: '// A Promise is kept.' }])).toEqual([]);
  });
});
