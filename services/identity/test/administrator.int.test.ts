import { eventually, runCommand, startCommand, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startIdentity, type IdentityHarness } from './harness.ts';

const first = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: first.email, ADMIN_PASSWORD: first.password });
});
afterAll(() => identity.close());

const cli = new URL('../src/cli.ts', import.meta.url);

function command(args: string[], env: Record<string, string> = {}) {
  const { MONGODB_URL, KEY_ENCRYPTION_SECRET } = identity.settings;
  return runCommand(cli, args, { MONGODB_URL, KEY_ENCRYPTION_SECRET, ...env });
}

function commandReading(input: string, args: string[]) {
  const { MONGODB_URL } = identity.settings;
  const { child, outcome } = startCommand(cli, args, { MONGODB_URL });
  child.stdin.end(input);
  return outcome;
}

describe('the first administrator', () => {
  it('comes from the configuration', async () => {
    const answer = await identity.post('/v1/auth/login', first);
    expect(answer).toMatchObject({ status: 200, body: { user: { role: 'admin', status: 'active' } } });
  });

  it('is made once by instances that start at once', async () => {
    const { settings } = identity;
    settings['ADMIN_EMAIL'] = 'race@shop.example';
    await times(4, () => identity.another());
    const made = await identity.collection('users').find({ email: 'race@shop.example' }).toArray();
    expect(made).toMatchObject([{ role: 'admin', version: 1 }]);
    settings['ADMIN_EMAIL'] = first.email;
  });

  it('keeps the password it has', async () => {
    identity.settings['ADMIN_PASSWORD'] = 'quite another password';
    await times(3, () => identity.another());
    expect(await identity.collection('users').countDocuments({ email: first.email })).toBe(1);
    expect((await identity.post('/v1/auth/login', first)).status).toBe(200);
  });

  it.each([
    ['short', /ADMIN_PASSWORD: must have at least 8/],
    ['password123', /ADMIN_PASSWORD: is one of/],
    ['', /ADMIN_PASSWORD: is required with ADMIN_EMAIL/],
  ])('does not come with the password %j', async (weak, message) => {
    const { settings } = identity;
    Object.assign(settings, { ADMIN_EMAIL: 'weak@shop.example', ADMIN_PASSWORD: weak });
    await expect(identity.another()).rejects.toThrow(message);
    Object.assign(settings, { ADMIN_EMAIL: first.email, ADMIN_PASSWORD: first.password });
  });
});

describe('the commands', () => {
  it('make an administrator with a password from standard input', async () => {
    const made = await commandReading(`${first.password}\n`, ['create-admin', '--email', 'Second@shop.example']);
    expect(made).toEqual({ out: 'second@shop.example is an administrator now.\n', err: '', code: 0 });
    const answer = await identity.post('/v1/auth/login', { email: 'second@shop.example', password: first.password });
    expect(answer.body.user.role).toBe('admin');
  });

  it('change nothing where the email has an account', async () => {
    const { email } = await identity.member('ada@one.example');
    const refused = await command(['create-admin', '--email', email], { ADMIN_PASSWORD: first.password });
    expect(refused).toMatchObject({ code: 1, err: `Somebody has the email ${email} already; nothing was changed.\n` });
    expect((await identity.post('/v1/auth/login', { email, password })).body.user.role).toBe('retail');
  });

  it('say what is wrong', async () => {
    expect((await commandReading('short', ['create-admin', '--email', 'x@shop.example'])).err).toBe(
      'The password must have at least 8 characters.\n',
    );
    expect((await command(['create-admin'])).err).toMatch(/--email/);
    expect((await command([])).err).toMatch(/rotate-keys/);
    expect((await command(['rotate-keys'], { MONGODB_URL: '' })).err).toMatch(/MONGODB_URL: is required/);
  });

  it('rotate the signing keys', async () => {
    const before = (await identity.call('GET', '/.well-known/jwks.json')).body.keys;
    const rotated = await command(['rotate-keys']);
    expect(rotated).toMatchObject({ err: '', code: 0 });
    expect(rotated.out).toContain(`The key ${before[1].kid} signs from `);
    await eventually(
      () => identity.collection('audit_entries').findOne({ action: 'keys-rotated', objectId: before[1].kid }),
      'the entry in the audit log',
    );
    const call = await identity.another();
    expect((await call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(3);
  });
});
