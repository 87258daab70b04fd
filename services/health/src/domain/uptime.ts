/** A stretch of time. `to` is null while it lasts. */
export interface Span {
  readonly from: Date;
  readonly to: Date | null;
}

export interface Watched {
  readonly since: Date;
  /** The times in which the service was not ready. */
  readonly outages: readonly Span[];
  /** The times in which nobody watched the service. */
  readonly gaps: readonly Span[];
}

/**
 * The percentage of the last `periodMs` in which the service was ready, rounded down to three decimals. Time in which
 * nobody watched is left out. null where the service was not watched at all.
 */
export function uptimePercent(watched: Watched, now: Date, periodMs: number): number | null {
  const from = Math.max(watched.since.getTime(), now.getTime() - periodMs);
  const until = now.getTime();
  const watchedMs = until - from - sum(watched.gaps, from, until);
  if (watchedMs <= 0) return null;
  const downMs = Math.min(sum(watched.outages, from, until), watchedMs);
  return Math.floor((1 - downMs / watchedMs) * 100_000) / 1000;
}

function sum(spans: readonly Span[], from: number, until: number): number {
  return spans.reduce((total, span) => {
    const begin = Math.max(span.from.getTime(), from);
    const end = Math.min(span.to?.getTime() ?? until, until);
    return total + Math.max(0, end - begin);
  }, 0);
}
