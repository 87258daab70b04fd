import { hkdfSync } from 'node:crypto';
import { newSigningKey, publicPart, type SigningKey } from '@storefront/access-token';
import { repeatEvery } from '@storefront/process';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import {
  activeKey,
  newKeyRing,
  publishedKeys,
  rotate,
  type KeyRing,
  type SealedKey,
  type UnusedKey,
} from '../domain/key-ring.ts';
import type { KeyRings } from '../store/key-rings.ts';
import { seal, unseal } from '../../secrets/seal.ts';

export interface SigningKeys {
  /** The key that signs now. */
  current(): SigningKey;
  /** The public parts of the keys, in the form of a JWKS. */
  published(): JWK[];
  close(): Promise<void>;
}

interface KeyRingAccess {
  readonly keyRings: KeyRings;
  /** Encrypts the private parts of the keys in the database. */
  readonly secret: string;
  /** The lifetime of an access token. */
  readonly accessSeconds: number;
  readonly now: () => Date;
}

const reloadMs = 15_000;

/** Opens the signing keys. Makes them at the very first start, and reads them again every 15 s. */
export async function openSigningKeys(access: KeyRingAccess, logger: Logger): Promise<SigningKeys> {
  const { keyRings, now, accessSeconds } = access;
  const key = encryptionKey(access.secret);
  const opened = new Map<string, SigningKey>();
  let ring = await load();
  const reload = async () => void (ring = await load());
  const failure = 'could not read the signing keys again; keeping those known';
  const reloading = repeatEvery(reloadMs, reload, { logger, failure });

  return {
    current: () => signingKeyOf(activeKey(ring, now())),
    published: () =>
      publishedKeys(ring, { now: now(), accessSeconds }).map((sealed) => publicPart(signingKeyOf(sealed))),
    close: () => reloading.stop(),
  };

  async function load(): Promise<KeyRing> {
    const loaded =
      (await keyRings.load()) ??
      (await keyRings.create(newKeyRing(await newKey(key, now()), await newKey(key, now()))));
    for (const sealed of loaded.keys) {
      if (opened.has(sealed.kid)) continue;
      const privateJwk = await unseal(sealed.sealed, key).catch((error: unknown) => {
        throw new Error('KEY_ENCRYPTION_SECRET is not the one that sealed the signing keys', { cause: error });
      });
      opened.set(sealed.kid, { kid: sealed.kid, privateJwk: privateJwk as JWK });
    }
    return loaded;
  }

  function signingKeyOf(sealed: SealedKey): SigningKey {
    const signingKey = opened.get(sealed.kid);
    if (!signingKey) throw new Error(`the signing key ${sealed.kid} was not opened`);
    return signingKey;
  }
}

/**
 * Rotates the keys: the next key becomes the one that signs. Returns this key; it begins to sign at its `activeFrom`.
 */
export async function rotateSigningKeys({ keyRings, secret, accessSeconds, now }: KeyRingAccess): Promise<SealedKey> {
  const fresh = await newKey(encryptionKey(secret), now());
  const ring = await keyRings.change((before) => rotate(before, fresh, { now: now(), accessSeconds }));
  const newest = ring.keys.findLast((sealed) => sealed.activeFrom !== null);
  if (!newest) throw new Error('the ring has no key that signs');
  return newest;
}

async function newKey(key: Uint8Array, createdAt: Date): Promise<UnusedKey> {
  const { kid, privateJwk } = await newSigningKey();
  return { kid, sealed: await seal(privateJwk, key), createdAt };
}

function encryptionKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'storefront signing keys', 32));
}
