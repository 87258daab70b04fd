import type { ReadinessChecks } from '@storefront/http';
import type { Bus } from '@storefront/messaging';
import { Gauge, type Registry } from '@storefront/process';
import type { AccessKeys } from './access/keys.ts';
import type { Revocations } from './domain/revocations.ts';
import type { InternalClient } from './internal-client.ts';

/**
 * A gateway is ready when it can check tokens: it needs the keys, and either a complete table of revocations or a
 * reachable identity service. The state of the broker is reported, but does not decide about readiness.
 */
export function createReadiness(parts: {
  keys: AccessKeys;
  revocations: Revocations;
  /** This client must make one attempt only, so that a readiness check does not take long. */
  identity: InternalClient;
  bus: Pick<Bus, 'health'>;
}): ReadinessChecks {
  return {
    needed: {
      keys: () => ({ ok: parts.keys.isLoaded() }),
      revocations: async () => {
        const now = performance.now();
        const status = parts.revocations.status(now);
        if (parts.revocations.isComplete(now)) return { ok: true, ...status };
        await parts.identity.get('/livez');
        const reason = parts.revocations.isAtRest(now)
          ? 'at rest: asking identity about the next token'
          : 'asking identity about each token';
        return { ok: true, ...status, reason };
      },
    },
    reported: {
      broker: () => {
        const { connected, kind, reason } = parts.bus.health();
        return { ok: connected, kind, reason };
      },
    },
  };
}

export function measureRevocations(metrics: Registry, revocations: Revocations): void {
  const age = new Gauge({
    name: 'gateway_revocations_age_seconds',
    help: 'Age of the table of revoked tokens; -1 before it is loaded',
    registers: [metrics],
    collect() {
      const { bound, loaded, ageMs } = revocations.status(performance.now());
      age.set(bound && loaded && ageMs !== null ? ageMs / 1000 : -1);
    },
  });
}
