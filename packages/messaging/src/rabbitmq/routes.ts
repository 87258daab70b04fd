import type { Logger } from 'pino';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { eventsExchange, type QueueBinding, type Topology } from '../topology.ts';
import { queueExists } from './declare.ts';
import { accessRefused, notFound, replyCodeOf, withAttempts, type Attempts, type Channels } from './with-channel.ts';

/**
 * Whether every queue of the topology gets its events. While one of the two queues of an event is missing, the broker
 * would confirm an event that only the other one has: the event has to wait until both are there. A queue of which this is
 * not known counts as missing.
 */
export interface Routes {
  /** Binds all queues, and finds those that are missing. Takes 5 s at most, goes on after that, and never throws. */
  check(): Promise<void>;
  /** The queue has just been declared: looks for it now instead of later. */
  declared(queue: string): void;
  /** The queues that can get no events. */
  missing(): readonly string[];
  /** What is wrong with a queue that is to get events of this type, as in `the queue a.on-b is missing`. */
  faultFor(type: string): string | undefined;
  close(): void;
}

const checkWithinMs = 5_000;
// The broker closes the channel, and writes a line into its log, for each look at a queue that is not there.
const firstLookMs = 500;
const longestMs = 5_000;
const unchecked = 'has not been looked for yet';
const isMissing = 'is missing';

/**
 * Unlike a declaration, a binding has no arguments for which it could be refused: a publisher may make it, too. One whose user has
 * no right to, since each service has a user of its own, looks for the queues only: `npm run topology` has bound them.
 */
export function createRoutes(channels: Channels, topology: Topology, logger: Logger): Routes {
  /** What is wrong with each queue that is not known to be bound. */
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

  /** Returns what is wrong with a queue; undefined where it gets its events. Throws where the channel is lost. */
  async function faultOf(attempts: Attempts, binding: QueueBinding): Promise<string | undefined> {
    if (mayBind) {
      const refusal = await bind(attempts, binding);
      if (refusal?.code !== accessRefused) return refusal?.fault;
      mayBind = false;
    }
    return (await queueExists(attempts, binding.queue)) ? undefined : isMissing;
  }

  /** Binds the queues with a fault. Throws where the channel is lost; the remaining queues then keep their faults. */
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

  /** One look after the other; those that are wanted during one share the next. */
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

/** Returns how the broker refused to bind the queue; undefined where it is bound. Throws where the channel is lost. */
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
