import type { Logger } from 'pino';

/**
 * Does `work` every `everyMs` milliseconds. What is under way is waited for: a turn that comes meanwhile is left out. Where it
 * fails, `failure` is logged and the next turn tries again. `stop` waits for what is under way.
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<void>,
  { logger, failure }: { readonly logger: Pick<Logger, 'warn'>; readonly failure: string },
): { stop(): Promise<void> } {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, failure))
      .finally(() => (underWay = null));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
