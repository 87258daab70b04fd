import type { healthHttp } from '@storefront/contracts';

type ServiceReadiness = healthHttp.ServiceReadiness;

/**
 * The result of looking at one service. `readiness` is public. `reason` says why the service is not ready and is for
 * administrators only.
 */
export interface Report {
  readonly readiness: ServiceReadiness;
  /** null where the service takes requests. */
  readonly reason: string | null;
}

/** The answer of a service to `/readyz`. It may have any form, so all parts are optional or unknown. */
export interface Answer {
  readonly status?: unknown;
  readonly checks?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/** The report about a service that did not answer, or not in time. */
export function unreachable(reason: string): Report {
  return { readiness: { status: 'unreachable' }, reason: `unreachable: ${reason}` };
}

/** Makes a report from the answer of a service to `/readyz`. */
export function reportOf(answer: Answer): Report {
  const { database, broker, outbox, consumers, ...others } = answer.checks ?? {};
  const status = knownStatus(answer.status);
  const other = Object.fromEntries(Object.entries(others).map(([name, check]) => [name, { ok: check?.ok === true }]));
  return {
    readiness: {
      status,
      ...(database && { database: { ok: database.ok === true, ...amount('milliseconds', database.milliseconds) } }),
      ...(broker && { broker: { ok: broker.ok === true, ...kind(broker.kind) } }),
      ...(outbox && {
        outbox: {
          ok: outbox.ok === true,
          ...amount('depth', outbox.depth),
          ...amount('oldestAgeSeconds', outbox.oldestAgeSeconds),
        },
      }),
      ...(consumers && { consumers: { ok: consumers.ok === true, ...amount('lag', lagOf(consumers.queues)) } }),
      ...(Object.keys(other).length > 0 && { other }),
    },
    reason: takesRequests(status) ? null : `${status}: ${whatIsWrong(answer.checks ?? {})}`,
  };
}

// From best to worst.
const statuses = ['ready', 'degraded', 'draining', 'not-ready', 'unreachable'] as const;

/**
 * One report for all instances of a service. The service counts as taking requests while at least one instance does.
 */
export function reportOfAll(reports: readonly Report[]): Report {
  const [first, ...others] = reports;
  if (first && others.length === 0) return first;
  const instances = reports.map(({ readiness }) => readiness.status);
  const best = statuses.find((status) => instances.includes(status)) ?? 'not-ready';
  const worstFirst = reports.toSorted(
    (one, other) => statuses.indexOf(other.readiness.status) - statuses.indexOf(one.readiness.status),
  );
  const shown = worstFirst.find(({ readiness }) => readiness.status !== 'unreachable');
  const isWhole = instances.every((status) => status === best);
  const reasons = new Set(reports.flatMap(({ reason }) => reason ?? []));
  return {
    readiness: { ...shown?.readiness, status: takesRequests(best) && !isWhole ? 'degraded' : best, instances },
    reason: takesRequests(best) ? null : [...reasons].join('; '),
  };
}

function takesRequests(status: ServiceReadiness['status']): boolean {
  return status === 'ready' || status === 'degraded';
}

/**
 * The status of the whole system. `not-ready` where any service takes no requests, `degraded` where any service is not
 * fully ready.
 */
export function systemStatus(statuses: readonly ServiceReadiness['status'][]): 'ready' | 'degraded' | 'not-ready' {
  if (!statuses.every(takesRequests)) return 'not-ready';
  return statuses.every((status) => status === 'ready') ? 'ready' : 'degraded';
}

function knownStatus(status: unknown): 'ready' | 'degraded' | 'draining' | 'not-ready' {
  return status === 'ready' || status === 'degraded' || status === 'draining' ? status : 'not-ready';
}

function amount<Name extends string>(name: Name, value: unknown): { [key in Name]?: number } {
  return (typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {}) as { [key in Name]?: number };
}

function kind(value: unknown): { kind?: 'rabbitmq' | 'in-process' } {
  return value === 'rabbitmq' || value === 'in-process' ? { kind: value } : {};
}

function lagOf(queues: unknown): number | undefined {
  if (!Array.isArray(queues)) return undefined;
  return (queues as { ready?: unknown; delayed?: unknown }[]).reduce(
    (sum, { ready, delayed }) => sum + (Number(ready) || 0) + (Number(delayed) || 0),
    0,
  );
}

function whatIsWrong(checks: NonNullable<Answer['checks']>): string {
  const wrong = Object.entries(checks)
    .filter(([, check]) => check?.ok !== true)
    .map(([name, check]) => (typeof check?.reason === 'string' ? `${name} (${check.reason})` : name));
  return wrong.length > 0 ? wrong.join(', ').slice(0, 500) : 'it gives no reason';
}
