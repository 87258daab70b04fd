import { Gauge } from '@storefront/service-kit';
import type { ReadinessChecks, Registry } from '@storefront/service-kit';
import type { AccessKeys } from './access/keys.ts';
import type { Ask } from './ask.ts';
import type { Revocations } from './domain/revocations.ts';

/** A gateway can serve when it can check tokens: with the keys, and with its own knowledge of revocations or identity's. */
export function createReadiness(parts: {
  keys: AccessKeys;
  revocations: Revocations;
  /** Asks identity once, without patience. */
  identity: Ask;
  now: () => Date;
}): ReadinessChecks {
  return {
    keys: () => ({ ok: parts.keys.isLoaded() }),
    revocations: async () => {
      const status = parts.revocations.status(parts.now().getTime());
      if (status.bound && status.loaded) return { ok: true, ...status };
      await parts.identity('/livez');
      return { ok: true, ...status, reason: 'asking identity about each token' };
    },
  };
}

export function measureRevocations(metrics: Registry, revocations: Revocations, now: () => Date): void {
  const age = new Gauge({
    name: 'gateway_revocations_age_seconds',
    help: 'How old the knowledge of revoked tokens is; -1 while there is none',
    registers: [metrics],
    collect() {
      const { bound, loaded, ageMs } = revocations.status(now().getTime());
      age.set(bound && loaded && ageMs !== null ? ageMs / 1000 : -1);
    },
  });
}
