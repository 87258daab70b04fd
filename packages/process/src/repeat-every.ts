import type { Logger } from 'pino';

/**
 * Runs `work` every `everyMs` milliseconds. If a run is not finished when the next one is due, that one is skipped. If
 * a run fails, `failure` is logged and the next run tries again. The first run comes after `firstAfterMs` milliseconds,
 * by default `everyMs`.
 * `now` runs `work` at once, unless it is running or stopped. `stop` waits for a current run.
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<void>,
  options: { readonly logger: Pick<Logger, 'warn'>; readonly failure: string; readonly firstAfterMs?: number },
): { now(): void; stop(): Promise<void> } {
  const { logger, failure, firstAfterMs = everyMs } = options;
  let underWay: Promise<void> | null = null;
  const takeTurn = () => {
    underWay ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, failure))
      .finally(() => (underWay = null));
  };
  let timer = setTimeout(() => {
    timer = setInterval(takeTurn, everyMs);
    takeTurn();
  }, firstAfterMs);
  let isStopped = false;
  return {
    now() {
      if (!isStopped) takeTurn();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
