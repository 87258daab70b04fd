import type { healthHttp } from '@storefront/contracts';
import { systemStatus } from '../domain/report.ts';
import type { Probe } from './probe.ts';

export interface Overview {
  /** The current state of the system, at most half a second old. */
  read(): Promise<healthHttp.SystemReadiness>;
}

// Services are looked at no more than twice a second, however many requests come.
const freshMs = 500;

/** Looks at all services in parallel and combines the results. */
export function createOverview(probes: Readonly<Record<string, Probe>>, now: () => Date): Overview {
  let latest: { answer: Promise<healthHttp.SystemReadiness>; until: number } | undefined;

  async function look(): Promise<healthHttp.SystemReadiness> {
    const seen = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => [name, (await probe()).readiness] as const),
    );
    return {
      status: systemStatus(seen.map(([, { status }]) => status)),
      checkedAt: now().toISOString(),
      services: Object.fromEntries(seen),
    };
  }

  return {
    read() {
      if (latest === undefined || performance.now() >= latest.until) {
        const current = { answer: look(), until: Number.POSITIVE_INFINITY };
        latest = current;
        void current.answer.then(() => (current.until = performance.now() + freshMs));
      }
      return latest.answer;
    },
  };
}
