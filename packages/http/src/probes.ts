import type { Registry } from '@storefront/process';
import type { FastifyInstance } from 'fastify';

/** The state of one dependency of a service. */
export interface Readiness {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** Checks of everything that a service needs before it can take requests, by name. */
export type ReadinessChecks = Readonly<Record<string, () => Readiness | Promise<Readiness>>>;

/**
 * `/livez` looks at nothing else: restarting a service because its database is away helps nobody. `/readyz` looks at
 * everything the service needs. `/metrics` is for Prometheus, where a registry is given.
 */
export function serveProbes(
  app: FastifyInstance,
  registry: Registry | undefined,
  checks: ReadinessChecks,
  isDraining: () => boolean,
): void {
  const open = { config: { access: 'probe' as const } };
  app.get('/livez', open, () => ({ status: 'ok' }));
  app.get('/readyz', open, async (_request, reply) => {
    const results = Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]): Promise<[string, Readiness]> => {
          try {
            return [name, await check()];
          } catch (error) {
            return [name, { ok: false, reason: error instanceof Error ? error.message : String(error) }];
          }
        }),
      ),
    );
    const ready = !isDraining() && Object.values(results).every((result) => result.ok);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: isDraining() ? 'draining' : ready ? 'ready' : 'not-ready', checks: results });
  });
  if (!registry) return;
  app.get('/metrics', open, async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
