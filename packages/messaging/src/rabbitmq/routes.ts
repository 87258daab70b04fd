import type { Logger } from 'pino';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { eventsExchange } from '../topology.ts';
import type { QueueBinding, Topology } from '../topology.ts';
import { notFound, replyCodeOf, withAttempts } from './with-channel.ts';
import type { Attempts, Channels } from './with-channel.ts';

/**
 * Whether every queue of the topology gets its events. While one of the two queues of an event is missing, the broker
 * would confirm an event that only the other one has: the event has to wait until both are there.
 */
export interface Routes {
  /** Binds the queues that exist and finds those that are missing. Takes 5 s at most and never throws. */
  check(): Promise<void>;
  missing(): readonly string[];
  /** A missing queue that is to get events of this type. */
  missingFor(type: string): string | undefined;
  close(): void;
}

const checkWithinMs = 5_000;
const checkMissingEachMs = 1_000;

/** Unlike a declaration, a binding has no arguments for which it could be refused: a publisher may make it, too. */
export function createRoutes(channels: Channels, topology: Topology, logger: Logger): Routes {
  let missing: Topology = [];
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function bindAll(): Promise<void> {
    const absent: QueueBinding[] = [];
    await withAttempts(channels, async (attempts) => {
      for (const binding of topology) if (!(await bind(attempts, binding))) absent.push(binding);
    });
    const names = absent.map(({ queue }) => queue).join(', ');
    if (absent.length > 0 && names !== missing.map(({ queue }) => queue).join(', '))
      logger.warn(
        { queues: names },
        'queues are missing; their events wait: run `npm run topology`, or their services',
      );
    missing = absent;
  }

  function check(): Promise<void> {
    checking ??= bindAll()
      .catch((error: unknown) => logger.warn({ reason: messageOf(error) }, 'the routes could not be checked'))
      .finally(() => {
        checking = undefined;
        clearTimeout(timer);
        if (missing.length > 0 && !closed) timer = setTimeout(() => void check(), checkMissingEachMs);
      });
    return settledWithin(checkWithinMs, checking);
  }

  return {
    check,
    missing: () => missing.map(({ queue }) => queue),
    missingFor: (type) => missing.find(({ types }) => types.includes(type))?.queue,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns whether the queue exists. */
async function bind(attempts: Attempts, { queue, types }: QueueBinding): Promise<boolean> {
  for (const type of types) {
    try {
      await attempts.run((channel) => channel.bindQueue(queue, eventsExchange, type));
    } catch (error) {
      if (replyCodeOf(error) === notFound) return false;
      throw error;
    }
  }
  return true;
}
