import { expect, it } from 'vitest';
import { findChromium, openPage, servePage } from './chromium.ts';
import { startIdentity } from './harness.ts';
import { secondFactors } from './second-factors.ts';

// What runs in the page. The names are the browser's.
const make = `async (options) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await navigator.credentials.create({ publicKey })).toJSON();
}`;
const use = `async (options) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}`;

it('a passkey of a real Chromium is added, logs in alone, completes a login, and proves who is calling', async ({
  skip,
}) => {
  const executable = findChromium();
  if (executable === null)
    return skip('There is no Chromium on this machine; install one, or name one by CHROMIUM_PATH.');
  await using opened = new AsyncDisposableStack();
  const shop = await servePage();
  opened.defer(() => shop.close());
  const identity = await startIdentity({ WEBAUTHN_ORIGINS: `https://shop.example, ${shop.origin}` });
  opened.defer(() => identity.close());
  const browser = await openPage(executable, shop.origin);
  opened.defer(() => browser.close());
  const inPage = (script: string, options: object) => browser.page.evaluate(`(${script})(${JSON.stringify(options)})`);
  const people = secondFactors(identity);

  const { email, accessToken, user } = await identity.member('ada@one.example');
  const { body: creation } = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
  const added = await identity.post(
    '/v1/auth/passkeys',
    { name: 'Virtual', response: await inPage(make, creation) },
    accessToken,
  );
  expect(added).toMatchObject({ status: 201, body: { name: 'Virtual', recoveryCodes: expect.any(Array) } });

  const { body: alone } = await identity.post('/v1/auth/passkeys/login/options');
  const logIn = { response: await inPage(use, alone) };
  const loggedIn = await identity.post('/v1/auth/passkeys/login', logIn);
  expect(loggedIn).toMatchObject({ status: 200, body: { user: { id: user.id, email } } });
  expect((await identity.post('/v1/auth/passkeys/login', logIn)).body.code).toBe('invalid_passkey');

  const mfaToken = await people.mfaTokenOf(email);
  const { body: second } = await identity.post('/v1/auth/mfa/passkey-options', { mfaToken });
  expect((await people.verify({ mfaToken, passkey: await inPage(use, second) })).status).toBe(200);

  people.waitUntilStale();
  const { body: again } = await identity.post('/v1/auth/reauthenticate/passkey-options', undefined, accessToken);
  const proof = { passkey: await inPage(use, again) };
  expect((await people.reauthenticate(accessToken, proof)).status).toBe(200);
  // The browser does not make a second passkey where it holds one already.
  const { body: twice } = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
  await expect(inPage(make, twice)).rejects.toThrow('InvalidStateError');
});
