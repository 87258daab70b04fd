import type { ReadinessChecks } from '@storefront/http';
import { Gauge } from '@storefront/process';
import type { Registry } from '@storefront/process';
import type { AccessKeys } from './access/keys.ts';
import type { Revocations } from './domain/revocations.ts';
import type { InternalClient } from './internal-client.ts';

/** A gateway is ready when it can check tokens: it has the keys, and a complete table of revocations or identity's help. */
export function createReadiness(parts: {
  keys: AccessKeys;
  revocations: Revocations;
  /** Makes one attempt only. */
  identity: InternalClient;
  now: () => Date;
}): ReadinessChecks {
  return {
    keys: () => ({ ok: parts.keys.isLoaded() }),
    revocations: async () => {
      const status = parts.revocations.status(parts.now().getTime());
      if (status.bound && status.loaded) return { ok: true, ...status };
      await parts.identity.get('/livez');
      return { ok: true, ...status, reason: 'asking identity about each token' };
    },
  };
}

export function measureRevocations(metrics: Registry, revocations: Revocations, now: () => Date): void {
  const age = new Gauge({
    name: 'gateway_revocations_age_seconds',
    help: 'Age of the table of revoked tokens; -1 while it is incomplete',
    registers: [metrics],
    collect() {
      const { bound, loaded, ageMs } = revocations.status(now().getTime());
      age.set(bound && loaded && ageMs !== null ? ageMs / 1000 : -1);
    },
  });
}
