import type { PasskeyAnswer } from '@storefront/client';

/** Lets the browser ask for a passkey; resolves with its answer, as the API takes it. Throws where the person declines. */
export async function passkeyAnswer(options: object): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser has given no passkey.');
  return credential.toJSON() as PasskeyAnswer;
}
