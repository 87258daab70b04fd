import type { Logger } from 'pino';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { eventsExchange, type QueueBinding, type Topology } from '../topology.ts';
import { queueExists } from './declare.ts';
import { accessRefused, notFound, replyCodeOf, withAttempts, type Attempts, type Channels } from './with-channel.ts';

/**
 * Knows whether every queue of the topology gets its events. If one of two queues for an event is missing, the broker
 * confirms the event although only one queue got it. So the event must wait until both queues exist. A queue that was
 * not checked yet counts as missing.
 */
export interface Routes {
  /**
   * Binds all queues and finds the missing ones. Resolves after at most 5 s, even if the check is still running, and
   * never throws.
   */
  check(): Promise<void>;
  /** Call this when the queue has just been declared: it is checked now instead of later. */
  declared(queue: string): void;
  /** Returns the queues that are missing, not bound, or not checked yet. */
  missing(): readonly string[];
  /**
   * Returns a fault of a queue for events of this type, such as `the queue a.on-b is missing`; undefined without a
   * fault.
   */
  faultFor(type: string): string | undefined;
  close(): void;
}

const checkWithinMs = 5_000;
// Each check for a missing queue makes the broker close the channel and write a log line, so later checks are less
// frequent.
const firstLookMs = 500;
const longestMs = 5_000;
const unchecked = 'has not been looked for yet';
const isMissing = 'is missing';

/**
 * The publisher binds the queues itself. Unlike a declaration, a binding has no arguments for which the broker could
 * refuse it. A publisher whose user has no right to bind only checks that the queues exist: `npm run topology` has
 * bound them.
 */
export function createRoutes(channels: Channels, topology: Topology, logger: Logger): Routes {
  /** The fault of each queue that is not known to be bound. */
  const faults = new Map<string, string>();
  let looks = 0;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let logged = '';
  let mayBind = true;

  function markAll(): void {
    for (const { queue } of topology) faults.set(queue, unchecked);
    looks = 0;
    mayBind = true;
  }
  markAll();

  /** Returns the fault of a queue; undefined where the queue gets its events. Throws where the channel is lost. */
  async function faultOf(attempts: Attempts, binding: QueueBinding): Promise<string | undefined> {
    if (mayBind) {
      const refusal = await bind(attempts, binding);
      if (refusal?.code !== accessRefused) return refusal?.fault;
      mayBind = false;
    }
    return (await queueExists(attempts, binding.queue)) ? undefined : isMissing;
  }

  /**
   * Tries to bind the queues with a fault. Throws where the channel is lost; the remaining queues then keep their
   * faults.
   */
  async function bindFaulty(): Promise<void> {
    await withAttempts(channels, async (attempts) => {
      for (const binding of topology) {
        const { queue } = binding;
        if (!faults.has(queue)) continue;
        const fault = await faultOf(attempts, binding);
        if (fault === undefined) faults.delete(queue);
        else faults.set(queue, fault);
      }
    });
  }

  /** Checks run one after the other. All checks that are requested during a check share the next one. */
  function look(): Promise<void> {
    return (next ??= running.then(() => {
      next = undefined;
      running = bindFaulty()
        .catch((error: unknown) => {
          if (!closed) logger.warn({ reason: messageOf(error) }, 'the routes could not be checked');
        })
        .finally(lookLater);
      return running;
    }));
  }

  function lookLater(): void {
    log();
    clearTimeout(timer);
    if (faults.size === 0 || closed) return;
    timer = setTimeout(() => void look(), Math.min(longestMs, firstLookMs * 2 ** looks));
    looks += 1;
  }

  function log(): void {
    const known = [...faults].filter(([, fault]) => fault !== unchecked);
    const queues = known.map(([queue, fault]) => `${queue} ${fault}`).join(', ');
    if (queues !== '' && queues !== logged)
      logger.warn({ queues }, 'queues get no events, which wait: run `npm run topology`, or their services');
    logged = queues;
  }

  return {
    check() {
      markAll();
      return settledWithin(checkWithinMs, look());
    },
    declared(queue) {
      if (faults.has(queue)) void look();
    },
    missing: () => [...faults.keys()],
    faultFor(type) {
      if (faults.size === 0) return undefined;
      const queue = topology.find((each) => faults.has(each.queue) && each.types.includes(type))?.queue;
      return queue === undefined ? undefined : `the queue ${queue} ${faults.get(queue)}`;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Binds the queue. Returns how the broker refused the binding; undefined where the queue is bound. Throws where the
 * channel is lost.
 */
async function bind(
  attempts: Attempts,
  { queue, types }: QueueBinding,
): Promise<{ readonly code: number; readonly fault: string } | undefined> {
  for (const type of types) {
    try {
      await attempts.run((channel) => channel.bindQueue(queue, eventsExchange, type));
    } catch (error) {
      const code = replyCodeOf(error);
      if (code === undefined) throw error;
      return { code, fault: code === notFound ? isMissing : `can not be bound: ${messageOf(error)}` };
    }
  }
  return undefined;
}
