import { createLocalJWKSet, errors } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { Ask } from '../ask.ts';

/** The public keys of access tokens. */
export interface AccessKeys {
  readonly find: JWTVerifyGetKey;
  isLoaded(): boolean;
  close(): void;
}

// A new key is published long before it signs, so this finds it in time.
const refreshMs = 60_000;
// However many tokens name unknown keys, identity is asked this often at most.
const coolDownMs = 2_000;

/**
 * Follows identity's JWKS document. What was loaded once stays good while identity is away; a token that names an unknown
 * key makes it look again. While no key was ever loaded, `find` throws what went wrong with asking.
 */
export function followKeys(ask: Ask, logger: Logger): AccessKeys {
  let known: JWTVerifyGetKey | undefined;
  let loading: Promise<void> | undefined;
  let loadedAt = -Infinity;

  const fetchKeys = async () => {
    const { status, body } = await ask('/.well-known/jwks.json');
    if (status !== 200) throw new Error(`identity answered ${status} for its keys`);
    known = createLocalJWKSet(body as JSONWebKeySet);
    loadedAt = performance.now();
  };
  const load = (): Promise<void> =>
    (loading ??= fetchKeys().finally(() => {
      loading = undefined;
    }));
  const refresh = () => {
    load().catch((error: unknown) => logger.warn({ err: error }, "identity's keys could not be loaded"));
  };
  refresh();
  const timer = setInterval(() => {
    if (!known || performance.now() - loadedAt > refreshMs) refresh();
  }, coolDownMs).unref();

  return {
    async find(header, token) {
      if (!known) await load();
      if (!known) throw new Error('no keys are loaded');
      try {
        return await known(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || performance.now() - loadedAt < coolDownMs) throw error;
        await load();
        return known(header, token);
      }
    },
    isLoaded: () => known !== undefined,
    close: () => clearInterval(timer),
  };
}
