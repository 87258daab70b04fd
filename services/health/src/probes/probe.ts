import type { Readiness } from '@storefront/http';
import { instancesOf, type Lookup } from '@storefront/process';
import { reportOf, reportOfAll, unreachable, type Answer, type Report } from '../domain/report.ts';

/** Looks at one service and returns a report. Never rejects. */
export type Probe = () => Promise<Report>;

const timeoutMs = 1500;

/** Asks the service at `url` whether it is ready. Waits at most 1.5 s for the answer. */
function probeOf(url: string): Probe {
  return async () => {
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
      return reportOf((await answer.json()) as Answer);
    } catch (error) {
      return unreachable(reasonOf(error));
    }
  };
}

/**
 * Looks at all instances of a service in parallel. A name in `urls` may have several addresses, one for each instance.
 */
export function probeOfAll(urls: readonly string[], lookup: Lookup): Probe {
  const probeOfEach = async (url: string) => {
    // Where the lookup of the name fails, the request is sent anyway. It then fails with the reason.
    const instances = await instancesOf(url, lookup).catch(() => [url]);
    return Promise.all(instances.map((instance) => probeOf(instance)()));
  };
  return async () => reportOfAll((await Promise.all(urls.map(probeOfEach))).flat());
}

/** The health service checks itself directly, without an HTTP request. */
export function ownProbe(checkDatabase: () => Promise<Readiness>): Probe {
  return async () => {
    const database = await checkDatabase();
    return reportOf({ status: database.ok ? 'ready' : 'not-ready', checks: { database } });
  };
}

// The error of `fetch` says only that the request failed. The reason is in `cause`.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // When `fetch` tried several addresses, the message of the cause is empty.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? error.message);
}
