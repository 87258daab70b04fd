import type { Logger } from 'pino';

/**
 * Runs `work` every `everyMs` milliseconds. If a run is not finished when the next one is due, that one is skipped. If
 * a run fails, `failure` is logged and the next run tries again. The first run comes after `firstAfterMs` milliseconds,
 * by default `everyMs`.
 * Where a run has returned `'idle'`, because it found nothing to do, the next one comes `idleTurns` times `everyMs`
 * later.
 * `now` runs `work` at once, unless it is running or stopped. `stop` waits for a current run.
 */
export function repeatEvery(
  everyMs: number,
  work: () => Promise<'idle' | void>,
  options: {
    readonly logger: Pick<Logger, 'warn'>;
    readonly failure: string;
    readonly firstAfterMs?: number;
    readonly idleTurns?: number;
  },
): { now(): void; stop(): Promise<void> } {
  const { logger, failure, firstAfterMs = everyMs, idleTurns = 1 } = options;
  let underWay: Promise<void> | null = null;
  let turnsToSkip = 0;
  const takeTurn = () => {
    underWay ??= work()
      .then((found) => void (turnsToSkip = found === 'idle' ? idleTurns - 1 : 0))
      .catch((error: unknown) => logger.warn({ err: error }, failure))
      .finally(() => (underWay = null));
  };
  const onTurn = () => {
    if (turnsToSkip === 0) takeTurn();
    else turnsToSkip -= 1;
  };
  let timer = setTimeout(() => {
    timer = setInterval(onTurn, everyMs);
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
