import type { Event } from '@storefront/contracts';
import type { Subscription } from './bus.ts';
import { settledWithin } from './deadline.ts';
import { messageOf } from './errors.ts';
import { runWithCause } from './middleware/correlation.ts';
import { letterHeaders, readTrail, trailHeaders } from './middleware/dead-letter.ts';
import type { Headers, Trail } from './middleware/dead-letter.ts';
import { createLanes } from './middleware/order.ts';
import { parseEvent } from './middleware/parse.ts';
import type { Parsed } from './middleware/parse.ts';
import { decide } from './middleware/retry.ts';
import type { Verdict } from './middleware/retry.ts';
import { withinTime } from './middleware/timeout.ts';
import type { Settings } from './settings.ts';

/** What a transport has to do with a message; `leave` gives it back untouched. */
export type Settlement = { readonly do: 'leave' } | Final;
type Final =
  | { readonly do: 'finish' }
  | { readonly do: 'wait'; readonly waitMs: number; readonly headers: Headers }
  | { readonly do: 'bury'; readonly headers: Headers };

/** One message as a transport hands it over. */
interface Incoming {
  readonly content: string;
  readonly headers: Headers;
  /** Whether an answer can still reach the broker; where not, the broker delivers the message again. */
  readonly answerable: () => boolean;
  readonly settle: (settlement: Settlement) => void | Promise<void>;
}

export interface Receiver {
  /** Never throws. */
  receive(incoming: Incoming): void;
  /** Begins nothing new and waits for what is under way, `ms` milliseconds at most. */
  stop(ms: number): Promise<void>;
}

/** What happens to each message of a subscription, whichever transport brings it. */
export function createReceiver(subscription: Subscription, settings: Settings): Receiver {
  const logger = settings.logger.child({ queue: subscription.queue });
  const types = new Set(subscription.types);
  const inLane = createLanes();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  async function ask(parsed: Parsed, attempt: number): Promise<Verdict> {
    if ('unreadable' in parsed) return { outcome: 'reject', reason: parsed.unreadable };
    const { event } = parsed;
    // During an update an older instance can meet a type that only the newer ones handle: one of them gets the next try.
    if (!types.has(event.type)) return { outcome: 'retry', reason: `no handler for ${event.type}` };
    try {
      const answer = await runWithCause({ correlationid: event.correlationid, traceparent: event.traceparent }, () =>
        withinTime(settings.handlerTimeoutMs, (signal) => subscription.handle(event, { attempt, signal })),
      );
      return typeof answer === 'string' ? { outcome: answer } : answer;
    } catch (error) {
      return { outcome: 'retry', reason: messageOf(error) };
    }
  }

  async function handle(incoming: Incoming, parsed: Parsed): Promise<void> {
    try {
      if (stopped || !incoming.answerable()) return await incoming.settle({ do: 'leave' });
      const started = performance.now();
      const before = readTrail(incoming.headers, new Date());
      const verdict = await ask(parsed, before.attempts + 1);
      const trail = verdict.outcome === 'later' ? before : { ...before, attempts: before.attempts + 1 };
      const settlement = settlementOf(verdict, trail);
      settings.onDelivery?.({
        queue: subscription.queue,
        outcome: outcomes[settlement.do],
        ms: performance.now() - started,
      });
      log(parsed, verdict, settlement, trail);
      await incoming.settle(settlement);
    } catch (error) {
      logger.error({ err: error }, 'a delivery could not be settled');
    }
  }

  function settlementOf(verdict: Verdict, trail: Trail): Final {
    const decision = decide(verdict.outcome, trail.attempts, settings.retryWaitsMs);
    if (decision.do === 'finish') return { do: 'finish' };
    if (decision.do === 'wait') return { ...decision, headers: trailHeaders(trail) };
    return { do: 'bury', headers: letterHeaders(trail, subscription.queue, reasonOf(verdict), new Date()) };
  }

  function log(parsed: Parsed, verdict: Verdict, settlement: Final, { attempts }: Trail): void {
    if (settlement.do === 'finish') return;
    const about = { ...('event' in parsed ? identify(parsed.event) : {}), attempts, reason: reasonOf(verdict) };
    if (settlement.do === 'wait') logger.warn({ ...about, waitMs: settlement.waitMs }, 'an event will be tried again');
    else logger.error(about, 'an event was given up on and is a dead letter now');
  }

  return {
    receive(incoming) {
      const parsed = parseEvent(incoming.content);
      const work =
        'event' in parsed ? inLane(parsed.event.subject, () => handle(incoming, parsed)) : handle(incoming, parsed);
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
    async stop(ms) {
      stopped = true;
      await settledWithin(ms, Promise.allSettled(underWay));
    },
  };
}

const outcomes = { finish: 'done', wait: 'retry', bury: 'dead' } as const;

function reasonOf(verdict: Verdict): string {
  return verdict.reason ?? `the handler said ${verdict.outcome}`;
}

function identify({ id, type, subject, correlationid }: Event) {
  return { eventId: id, type, subject, correlationid };
}
