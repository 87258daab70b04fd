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
 * Looks at a service and records it: an incident begins with the second look in a row at which it is not ready, and ends
 * when it is ready again. Time between two looks that is longer than `gapMs` counts as not watched. Answers what the next
 * look has to know.
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
    // Its own database is away as well: the next look records what still holds then.
    logger.warn({ err: error, service }, 'what was seen could not be recorded');
  }
  return next;
}

interface Look {
  readonly service: string;
  readonly probe: Probe;
  readonly gapMs: number;
  /** What the last look answered; nothing at the first one. */
  readonly memory?: Memory | undefined;
}
