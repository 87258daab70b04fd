import type { Logger } from 'pino';

/**
 * Does `work` every `everyMs` milliseconds. What is under way is waited for: a turn that comes meanwhile is left out. Where it
 * fails, `failure` is logged and the next turn tries again. The first turn comes after `firstAfterMs`, by default as long as
 * between two. `now` does it at once, unless it is under way or stopped. `stop` waits for what is under way.
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
