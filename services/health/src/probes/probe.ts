import type { Readiness } from '@storefront/http';
import { instancesOf, type Lookup } from '@storefront/process';
import { reportOf, reportOfAll, unreachable, type Answer, type Report } from '../domain/report.ts';

/** Looks at one thing; never rejects. */
export type Probe = () => Promise<Report>;

const timeoutMs = 1500;

/** Asks the service at `url` whether it is ready, for at most 1.5 s. */
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

/** Looks at all instances of a service side by side: at all addresses that the names in `urls` have at the moment. */
export function probeOfAll(urls: readonly string[], lookup: Lookup): Probe {
  const probeOfEach = async (url: string) => {
    // Where the name can't be looked up, the request itself fails with the reason.
    const instances = await instancesOf(url, lookup).catch(() => [url]);
    return Promise.all(instances.map((instance) => probeOf(instance)()));
  };
  return async () => reportOfAll((await Promise.all(urls.map(probeOfEach))).flat());
}

/** The health service looks at itself without a detour. */
export function ownProbe(checkDatabase: () => Promise<Readiness>): Probe {
  return async () => {
    const database = await checkDatabase();
    return reportOf({ status: database.ok ? 'ready' : 'not-ready', checks: { database } });
  };
}

// `fetch` says only that it failed; the cause has the reason.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Where several addresses were tried the message is empty.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? error.message);
}
