import type { Logger } from 'pino';
import { judge, nothingSeen, type Memory } from '../domain/watch.ts';
import type { Probe } from '../probes/probe.ts';
import type { History } from '../store/history.ts';

interface Needs {
  readonly history: History;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Looks at a service once and records the result. An incident begins with the second failed look in a row, for a service
 * that was never ready after a minute, and ends when the service is ready again. A time of more than `gapMs` between two looks counts as not watched. Returns the
 * memory for the next look. Errors of the database are only logged.
 */
export async function recordLook(
  { history, now, logger }: Needs,
  { service, probe, gapMs, memory = nothingSeen }: Look,
): Promise<Memory> {
  const { reason } = await probe();
  const at = now();
  const { memory: next, verdict } = judge(memory, reason, at);
  try {
    await history.looked(service, at, gapMs);
    if (verdict.kind === 'down' && (await history.open(service, verdict.since, verdict.reason)))
      logger.warn({ service, reason: verdict.reason }, 'an incident began');
    if (verdict.kind === 'up' && (await history.close(service, at))) logger.warn({ service }, 'an incident ended');
  } catch (error) {
    // The database of the health service itself fails, too. The next look records what is then still the case.
    logger.warn({ err: error, service }, 'what was seen could not be recorded');
  }
  return next;
}

interface Look {
  readonly service: string;
  readonly probe: Probe;
  readonly gapMs: number;
  /** What the last look returned. Left out at the first look. */
  readonly memory?: Memory | undefined;
}
