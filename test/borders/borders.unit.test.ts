import { describe, expect, it } from 'vitest';
import { violations } from '../../scripts/border-rules.ts';
import { readImports } from '../../scripts/imports.ts';

describe('the borders between the parts', () => {
  it('are crossed by no import of the project', async () => {
    const imports = await readImports();
    expect(imports.length).toBeGreaterThan(100);
    expect(violations(imports)).toEqual([]);
  });

  it.each([
    ['services/identity/src/domain/user.ts', 'mongoose'],
    ['services/identity/src/domain/user.ts', 'node:fs'],
    ['services/identity/src/domain/user.ts', 'services/identity/src/store/users.ts'],
    ['services/identity/src/routes/login.ts', 'mongoose'],
    ['services/identity/src/service.ts', '@storefront/engagement'],
    ['services/identity/src/service.ts', 'services/engagement/src/service.ts'],
    ['gateway/src/app.ts', '@storefront/identity'],
    ['packages/outbox/src/relay.ts', '@storefront/identity'],
    ['services/identity/src/service.ts', '@storefront/testing'],
    ['services/identity/src/service.ts', 'packages/outbox/src/relay.ts'],
    ['packages/contracts/src/event.ts', '@storefront/outbox'],
  ])('%s must not import %s', (file, imported) => {
    expect(violations([{ file, imported }])).not.toEqual([]);
  });

  it.each([
    ['services/identity/src/domain/user.ts', '@storefront/contracts'],
    ['services/identity/src/routes/login.ts', 'services/identity/src/domain/user.ts'],
    ['services/identity/src/store/users.ts', 'mongoose'],
    ['stack/src/services.ts', '@storefront/identity'],
  ])('%s may import %s', (file, imported) => {
    expect(violations([{ file, imported }])).toEqual([]);
  });
});
