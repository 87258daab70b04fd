import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passwordErrors } from '@storefront/contracts';
import { expect, it, onTestFinished } from 'vitest';
import { accountsOf, people } from './accounts.ts';
import { openSecrets, type Secrets } from './secrets.ts';

async function openFreshSecrets(): Promise<Secrets> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-accounts-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return openSecrets(dataDir);
}

it('every account keeps its password, which differs from that of others', async () => {
  const secrets = await openFreshSecrets();
  const accounts = accountsOf({}, secrets);
  expect(accountsOf({}, secrets)).toEqual(accounts);
  const passwords = Object.values(accounts).map(({ password }) => password);
  expect(new Set(passwords).size).toBe(7);
  for (const password of passwords) expect(password).toMatch(/^([bdfgklmnprstvz][aeiou]){2}(-|$)/);
  expect(accountsOf({ ADMIN_EMAIL: 'me@shop.example', ADMIN_PASSWORD: 'my own' }, secrets).admin).toEqual({
    email: 'me@shop.example',
    password: 'my own',
  });
});

it('a password that the rules do not take is made again, until one is long enough and has no name in it', async () => {
  const secrets = await openFreshSecrets();
  const refused: string[] = [];
  const third = secrets.password('trade', (password) => refused.push(password) > 2);
  expect(refused).toEqual([secrets.password('trade', () => true), expect.any(String), third]);
  expect(new Set(refused).size).toBe(3);

  const [syllables = ''] = secrets.password('admin', () => true).split('-');
  const { admin } = accountsOf({ ADMIN_EMAIL: `${syllables}@example.com` }, secrets);
  expect(admin.password).not.toContain(syllables);

  const rules = { minLength: 64, isCommon: () => false };
  const { trade } = accountsOf({ PASSWORD_MIN_LENGTH: '64' }, secrets);
  expect(passwordErrors('/password', trade.password, people.trade, rules)).toEqual([]);
});
