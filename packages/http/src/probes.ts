import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from '@storefront/process';
import type { FastifyInstance } from 'fastify';

/** The state of one dependency of a service. */
export interface Readiness {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** Checks by name. One that throws, or takes longer than 1.2 s, is not ok. */
export type Checks = Readonly<Record<string, () => Readiness | Promise<Readiness>>>;

export interface ReadinessChecks {
  /** What requests need: while one of these is not ok, the service should get none. */
  readonly needed?: Checks;
  /** Checks that only background work needs. Requests are answered without it, so it is only reported. */
  readonly reported?: Checks;
}

// Less than the usual time limit of a prober.
const checkMs = 1200;

/**
 * `/livez` looks at nothing else: restarting a service because its database is away helps nobody. `/readyz` is 503 while
 * something is missing that requests need; where only something else is, it is 200 with the status `degraded`. `/metrics`
 * is for Prometheus, where a registry is given.
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
