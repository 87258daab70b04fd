import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from '@storefront/process';
import type { FastifyInstance } from 'fastify';

/** The state of one dependency of a service. */
export interface Readiness {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** Checks by name. A check that throws or takes longer than 1.2 s counts as not ok. */
export type Checks = Readonly<Record<string, () => Readiness | Promise<Readiness>>>;

export interface ReadinessChecks {
  /** Checks of what requests need. While one of them is not ok, the service should get no requests. */
  readonly needed?: Checks;
  /** Checks of what only background work needs. They are reported, but requests are answered even if one is not ok. */
  readonly reported?: Checks;
}

// Less than the usual time limit of an orchestrator's probe.
const checkMs = 1200;

/**
 * Serves the probes:
 * - `/livez` checks nothing else: it would not help to restart a service because its database is unreachable.
 * - `/readyz` is 503 while a needed check is not ok, or while draining. If only a reported check is not ok, it is 200
 *   with the status `degraded`.
 * - `/metrics` is for Prometheus; it exists only if a registry is given.
 */
export function serveProbes(
  app: FastifyInstance,
  registry: Registry | undefined,
  { needed = {}, reported = {} }: ReadinessChecks,
  isDraining: () => boolean,
): void {
  const open = { config: { access: 'probe' as const } };
  app.get('/livez', open, () => ({ status: 'ok' }));
  app.get('/readyz', open, async (_request, reply) => {
    const [gating, others] = await Promise.all([resultsOf(needed), resultsOf(reported)]);
    const status = isDraining() ? 'draining' : !areOk(gating) ? 'not-ready' : areOk(others) ? 'ready' : 'degraded';
    const takesRequests = status === 'ready' || status === 'degraded';
    return reply.code(takesRequests ? 200 : 503).send({ status, checks: { ...gating, ...others } });
  });
  if (!registry) return;
  app.get('/metrics', open, async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

type Results = Readonly<Record<string, Readiness>>;

const areOk = (results: Results) => Object.values(results).every(({ ok }) => ok);

async function resultsOf(checks: Checks): Promise<Results> {
  const results = Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const);
  return Object.fromEntries(await Promise.all(results));
}

async function resultOf(check: Checks[string]): Promise<Readiness> {
  const over = new AbortController();
  try {
    const late = { ok: false, reason: `no answer within ${checkMs} ms` };
    return await Promise.race([check(), wait(checkMs, late, { signal: over.signal })]);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    over.abort();
  }
}
