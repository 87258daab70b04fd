import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';

/** What one dependency of a service has to say about itself. */
export interface Readiness {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** The things a service needs before it may be sent requests, by name. */
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
  const system = { config: { access: 'system' as const }, schema: { hide: true } };
  app.get('/livez', system, () => ({ status: 'ok' }));
  app.get('/readyz', system, async (_request, reply) => {
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
  app.get('/metrics', system, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
