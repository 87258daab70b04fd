import type { Event } from '@storefront/contracts';
import type { Outcome, Subscription } from './bus.ts';
import { settledWithin } from './deadline.ts';
import { messageOf } from './errors.ts';
import { runWithCause } from './middleware/correlation.ts';
import { deadLetterHeaders, readTries, triesHeaders } from './middleware/dead-letter.ts';
import type { Headers, Tries } from './middleware/dead-letter.ts';
import { parseEvent } from './middleware/parse.ts';
import type { Parsed } from './middleware/parse.ts';
import { createPerKeyQueue } from './middleware/per-key-queue.ts';
import { decide } from './middleware/retry.ts';
import { withTimeout } from './middleware/timeout.ts';
import type { Settings } from './settings.ts';

/** What a transport has to do with a message. `giveBack` returns it to its queue as it is. */
export type Settlement = { readonly do: 'giveBack' } | Handled;
type Handled =
  | { readonly do: 'finish' }
  | { readonly do: 'delay'; readonly delayMs: number; readonly headers: Headers }
  | { readonly do: 'deadLetter'; readonly headers: Headers };

/** One message as a transport delivers it. */
interface Incoming {
  readonly content: string;
  readonly headers: Headers;
  /** Whether an acknowledgement can still reach the broker. If not, the broker delivers the message again. */
  readonly canSettle: () => boolean;
  readonly settle: (settlement: Settlement) => void | Promise<void>;
}

export interface Receiver {
  /** Never throws. */
  receive(incoming: Incoming): void;
  /** Starts no further handler and waits for those under way, `ms` milliseconds at most. */
  stop(ms: number): Promise<void>;
}

/** What a handler made of a delivery. */
interface HandlerResult {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Handles each message of a subscription, in the same way for every transport. */
export function createReceiver(subscription: Subscription, settings: Settings): Receiver {
  const logger = settings.logger.child({ queue: subscription.queue });
  const types = new Set(subscription.types);
  const enqueue = createPerKeyQueue();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  async function runHandler(parsed: Parsed, attempt: number): Promise<HandlerResult> {
    if ('unreadable' in parsed) return { outcome: 'reject', reason: parsed.unreadable };
    const { event } = parsed;
    // During an update an older instance may get a type that only the newer ones handle: one of them gets the next try.
    if (!types.has(event.type)) return { outcome: 'retry', reason: `no handler for ${event.type}` };
    try {
      const answer = await runWithCause({ correlationid: event.correlationid, traceparent: event.traceparent }, () =>
        withTimeout(settings.handlerTimeoutMs, (signal) => subscription.handle(event, { attempt, signal })),
      );
      return typeof answer === 'string' ? { outcome: answer } : answer;
    } catch (error) {
      return { outcome: 'retry', reason: messageOf(error) };
    }
  }

  async function handle(incoming: Incoming, parsed: Parsed): Promise<void> {
    try {
      if (stopped || !incoming.canSettle()) return await incoming.settle({ do: 'giveBack' });
      const started = performance.now();
      const before = readTries(incoming.headers, new Date());
      const result = await runHandler(parsed, before.attempts + 1);
      const tries = result.outcome === 'later' ? before : { ...before, attempts: before.attempts + 1 };
      const settlement = settlementOf(result, tries);
      settings.onDelivery?.({
        queue: subscription.queue,
        outcome: outcomes[settlement.do],
        ms: performance.now() - started,
      });
      log(parsed, result, settlement, tries);
      await incoming.settle(settlement);
    } catch (error) {
      logger.error({ err: error }, 'a delivery could not be settled');
    }
  }

  function settlementOf(result: HandlerResult, tries: Tries): Handled {
    const decision = decide(result.outcome, tries.attempts, settings.retryDelaysMs);
    if (decision.do === 'finish') return { do: 'finish' };
    if (decision.do === 'delay') return { ...decision, headers: triesHeaders(tries) };
    return { do: 'deadLetter', headers: deadLetterHeaders(tries, subscription.queue, reasonOf(result), new Date()) };
  }

  function log(parsed: Parsed, result: HandlerResult, settlement: Handled, { attempts }: Tries): void {
    if (settlement.do === 'finish') return;
    const about = { ...('event' in parsed ? identify(parsed.event) : {}), attempts, reason: reasonOf(result) };
    if (settlement.do === 'delay')
      logger.warn({ ...about, delayMs: settlement.delayMs }, 'an event will be tried again');
    else logger.error(about, 'an event is a dead letter now');
  }

  return {
    receive(incoming) {
      const parsed = parseEvent(incoming.content);
      const work =
        'event' in parsed ? enqueue(parsed.event.subject, () => handle(incoming, parsed)) : handle(incoming, parsed);
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
    async stop(ms) {
      stopped = true;
      await settledWithin(ms, Promise.allSettled(underWay));
    },
  };
}

const outcomes = { finish: 'done', delay: 'retry', deadLetter: 'dead' } as const;

function reasonOf(result: HandlerResult): string {
  return result.reason ?? `the handler said ${result.outcome}`;
}

function identify({ id, type, subject, correlationid }: Event) {
  return { eventId: id, type, subject, correlationid };
}
