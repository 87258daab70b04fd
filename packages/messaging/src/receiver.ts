import type { Event } from '@storefront/contracts';
import type { Outcome, Subscription } from './bus.ts';
import { settledWithin } from './deadline.ts';
import { messageOf } from './errors.ts';
import { runWithCause } from './middleware/correlation.ts';
import {
  deadLetterHeaders,
  readReturns,
  readTries,
  triesHeaders,
  type Headers,
  type Tries,
} from './middleware/dead-letter.ts';
import { parseEvent, type Parsed } from './middleware/parse.ts';
import { createPerKeyQueue } from './middleware/per-key-queue.ts';
import { decide, decideReturned, type Decision } from './middleware/retry.ts';
import { withTimeout } from './middleware/timeout.ts';
import type { Settings } from './settings.ts';

/** What a transport must do with a message. `giveBack` returns the message to its queue unchanged. */
export type Settlement = { readonly do: 'giveBack' } | Handled;
type Handled =
  | { readonly do: 'finish' }
  | { readonly do: 'delay'; readonly delayMs: number; readonly headers: Headers }
  | { readonly do: 'deadLetter'; readonly headers: Headers };

/** A message that a transport delivers. */
interface Incoming {
  readonly content: string | Buffer;
  /**
   * The event type as which the broker accepted the message; undefined if the message does not come directly from the
   * events exchange, for example after a delay.
   */
  readonly publishedAs?: string;
  readonly headers: Headers;
  /** Whether an acknowledgement can still reach the broker. If it can't, the broker delivers the message again. */
  readonly canSettle: () => boolean;
  readonly settle: (settlement: Settlement) => void | Promise<void>;
}

export interface Receiver {
  /** Never throws. */
  receive(incoming: Incoming): void;
  /** Starts no further handlers and waits at most `ms` milliseconds for the running ones. */
  stop(ms: number): Promise<void>;
}

/** How the handling of a delivery ended. */
interface HandlerResult {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Handles each message of a subscription in the same way for every transport. */
export function createReceiver(subscription: Subscription, settings: Settings): Receiver {
  const logger = settings.logger.child({ queue: subscription.queue });
  const types = new Set(subscription.types);
  const enqueue = createPerKeyQueue();
  const inTurn = (subject: string, work: () => Promise<void>) =>
    subscription.anyOrder ? work() : enqueue(subject, work);
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  async function runHandler(parsed: Parsed, attempt: number): Promise<HandlerResult> {
    if ('unreadable' in parsed) return { outcome: 'reject', reason: parsed.unreadable };
    const { event } = parsed;
    // During an update an older instance may get a type that only newer instances handle.
    if (!types.has(event.type)) return { outcome: 'unknown', reason: `no handler for ${event.type}` };
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
      const counts = result.outcome !== 'later' && result.outcome !== 'unknown';
      const tries = counts ? { ...before, attempts: before.attempts + 1 } : before;
      const decision = decide(result.outcome, tries, settings, new Date());
      await settle(incoming, parsed, decision, tries, reasonOf(result), started);
    } catch (error) {
      logger.error({ err: error }, 'a delivery could not be settled');
    }
  }

  /**
   * Moves a message that came back to its queue too often; returns undefined where the message should be handled now.
   */
  function moveReturned(incoming: Incoming, parsed: Parsed): Promise<void> | undefined {
    if (stopped || !incoming.canSettle()) return undefined;
    const returns = readReturns(incoming.headers);
    const before = readTries(incoming.headers, new Date());
    const decision = decideReturned(returns, before.returns, settings.retryDelaysMs);
    if (!decision) return undefined;
    const tries = { ...before, returns: before.returns + returns };
    const reason = `its consumer was gone ${tries.returns} times before it answered`;
    return settle(incoming, parsed, decision, tries, reason, performance.now()).catch((error: unknown) =>
      logger.error({ err: error }, 'a delivery could not be settled'),
    );
  }

  async function settle(
    incoming: Incoming,
    parsed: Parsed,
    decision: Decision,
    tries: Tries,
    reason: string,
    started: number,
  ): Promise<void> {
    const fullReason = decision.do === 'deadLetter' && decision.because ? `${reason}; ${decision.because}` : reason;
    settings.onDelivery?.({
      queue: subscription.queue,
      outcome: outcomes[decision.do],
      ms: performance.now() - started,
    });
    log(parsed, decision, tries, fullReason);
    await incoming.settle(settlementOf(decision, tries, fullReason));
  }

  function settlementOf(decision: Decision, tries: Tries, reason: string): Handled {
    if (decision.do === 'finish') return { do: 'finish' };
    if (decision.do === 'delay') return { ...decision, headers: triesHeaders(tries) };
    return { do: 'deadLetter', headers: deadLetterHeaders(tries, subscription.queue, reason, new Date()) };
  }

  function log(parsed: Parsed, decision: Decision, { attempts }: Tries, reason: string): void {
    if (decision.do === 'finish') return;
    const about = { ...('event' in parsed ? identify(parsed.event) : {}), attempts, reason };
    if (decision.do === 'delay') logger.warn({ ...about, delayMs: decision.delayMs }, 'an event will be tried again');
    else logger.error(about, 'an event is a dead letter now');
  }

  return {
    receive(incoming) {
      const parsed = parseEvent(incoming.content, incoming.publishedAs);
      // A returned message is moved at once, without waiting for other events of its subject: the connection may be
      // lost again meanwhile.
      const work =
        moveReturned(incoming, parsed) ??
        ('event' in parsed ? inTurn(parsed.event.subject, () => handle(incoming, parsed)) : handle(incoming, parsed));
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
