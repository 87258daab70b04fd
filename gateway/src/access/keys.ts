import { identityOperations } from '@storefront/contracts';
import { repeatEvery } from '@storefront/process';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { InternalClient } from '../internal-client.ts';

/** The public keys of access tokens. */
export interface AccessKeys {
  /** Throws NoAnswerError while identity does not answer and no keys were ever loaded. */
  readonly find: JWTVerifyGetKey;
  isLoaded(): boolean;
  close(): void;
}

// Identity publishes a new key long before using it, so one refresh a minute is often enough.
const refreshMs = 60_000;
// The shortest time between two loads, however many tokens name unknown keys.
const coolDownMs = 2_000;

/**
 * Keeps a copy of identity's key set (JWKS). The copy stays in use while identity is unreachable. The key set is loaded
 * again when a token names an unknown key.
 */
export function followKeys(identity: InternalClient, logger: Logger): AccessKeys {
  let known: JWTVerifyGetKey | undefined;
  let loading: Promise<void> | undefined;
  let loadedAt = -Infinity;

  const fetchKeys = async () => {
    const { status, body } = await identity.get(identityOperations.getKeySet.path);
    if (status !== 200) throw new Error(`identity answered ${status} for its keys`);
    known = createLocalJWKSet(body as JSONWebKeySet);
    loadedAt = performance.now();
  };
  const load = (): Promise<void> =>
    (loading ??= fetchKeys().finally(() => {
      loading = undefined;
    }));
  const loadIfOld = async () => {
    if (!known || performance.now() - loadedAt > refreshMs) await load();
  };
  const failure = "identity's keys could not be loaded";
  const loadingAgain = repeatEvery(coolDownMs, loadIfOld, { logger, failure, firstAfterMs: 0 });

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
    close: () => void loadingAgain.stop(),
  };
}
