import type { Bus, Published } from '@storefront/messaging';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { readPendingPage, type PendingEvent, type Source } from './pending-events.ts';
import type { Puller } from './pull-published.ts';

/**
 * Publishes the events of one type, which all go to the same queues. One batch is under way at a time, independently of
 * other types. The events of one subject are published in order: an unpublished event holds back the subject's later
 * events. What can't be published at once is left to the sweep, which regularly looks through the outboxes.
 */
export interface Destination {
  /** Publishes events that were just stored. Events that can't be published at once are left to the sweep. */
  publish(events: readonly PendingEvent[]): void;
  /**
   * Looks through the outboxes of these collections for events that have been unpublished since an earlier look, and
   * publishes them. Does nothing for some time after a failed attempt. `sources` are all collections that had events of
   * this type just now.
   */
  sweep(sources: readonly Source[]): void;
  /** Whether this type must be swept even if no outbox holds events of it. */
  remembers(): boolean;
  /**
   * Since when the oldest unpublished event has been seen in an outbox, as a time of `monotonic`; null without such an
   * event.
   */
  pendingSince(): number | null;
  /** Stops sweeping. Resolves once every event that was passed to `publish` has been tried. */
  close(): Promise<void>;
}

interface Needs {
  readonly type: string;
  readonly bus: Bus;
  readonly puller: Puller;
  readonly logger: Logger;
  readonly sweepMs: number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonic: () => number;
}

interface Queued {
  readonly pending: PendingEvent;
  readonly bytes: number;
}

/** The progress of a walk through the outboxes. */
interface Walk {
  readonly sources: readonly Source[];
  readonly fromStart: boolean;
  /** `nothing`: it only measures how old events are. `own`: only what this process has left to the sweep. */
  readonly publishes: 'nothing' | 'own' | 'all';
  sourceIndex: number;
  after: string | null;
  /** When each unpublished event was first seen, by event id. */
  readonly seen: Map<string, number>;
}

const batchEvents = 500;
// Events beyond these limits are not lost: they wait in their documents instead of in memory.
const queuedEvents = 5000;
const queuedBytes = 8_000_000;
const heldSubjects = 10_000;
const seenEvents = 5000;
// Counted in sweeps. The pauses after failures are 1, 2, 4, 8 and then 10 sweeps, which are seconds by default.
const longestBackOff = 10;
const lookEvery = 5;

export function createDestination(needs: Needs): Destination {
  const { type, bus, puller, logger, sweepMs, monotonic } = needs;
  let queue: Queued[] = [];
  let bytesQueued = 0;
  /** Ids of events that are queued, being published, or published and not yet removed from their outbox. */
  const inHand = new Set<string>();
  /** The subjects with events that were left to the sweep. The value is the number of the latest walk at that time. */
  const held = new Map<string, number>();
  /** Like `held`, for all subjects beyond `heldSubjects` together; 0 if there are none. */
  let allHeldSince = 0;
  let seen = new Map<string, number>();
  let walk: Walk | null = null;
  let walks = 0;
  /** Whether the last walk could publish nothing. */
  let wasWithoutBroker = false;
  /** Where the next walk begins if the last one was interrupted. */
  let resumeAt: { readonly source: Source; readonly after: string | null } | null = null;
  let failures = 0;
  let nextTryAt = 0;
  let nextLookAt = 0;
  let sendingSince: number | null = null;
  /** Events that were removed from outboxes while a page was being read. The page may still contain them. */
  let pulledMeanwhile: string[] | null = null;
  let running: Promise<void> | null = null;
  let closed = false;

  function run(): void {
    running ??= work()
      .catch((error: unknown) => {
        endWalk(false);
        logger.warn({ err: error, type }, 'sweeping the outboxes failed; the next sweep tries again');
      })
      .finally(() => {
        running = null;
        if (queue.length > 0) run();
      });
  }

  async function work(): Promise<void> {
    while (queue.length > 0 || walk) {
      if (queue.length > 0) await publishQueued();
      if (walk) await takePage(walk);
      if (closed) walk = null;
    }
  }

  async function publishQueued(): Promise<void> {
    const batch = queue.splice(0, batchEvents);
    bytesQueued = bytesOf(queue);
    await send(batch.map(({ pending }) => pending));
  }

  /** Returns the events that the broker has confirmed. */
  async function send(batch: readonly PendingEvent[]): Promise<readonly PendingEvent[]> {
    const ids = batch.map(({ event }) => event.id);
    for (const id of ids) inHand.add(id);
    sendingSince = monotonic();
    const results = await bus
      .publish(batch.map(({ event }) => event))
      .catch((error: unknown) => ids.map((id): Published => ({ id, confirmed: false, reason: String(error) })))
      .finally(() => (sendingSince = null));
    const done = new Set(results.filter(({ confirmed }) => confirmed).map(({ id }) => id));
    const [confirmed, failed] = [batch.filter(isDone), batch.filter((pending) => !isDone(pending))];
    if (confirmed.length > 0) {
      failures = 0;
      puller.pull(confirmed, () => release(confirmed));
    }
    if (failed.length > 0) {
      const failure = results.find((result) => !result.confirmed);
      const reason = failure && 'reason' in failure ? failure.reason : 'no answer';
      logger.warn({ type, failed: failed.length, reason }, 'events not published; they stay in the outbox');
      leave(failed, confirmed.length === 0);
    }
    return confirmed;

    function isDone({ event }: PendingEvent): boolean {
      return done.has(event.id);
    }
  }

  /**
   * Leaves failed events to the sweep, together with the queued events of their subjects. If nothing could be
   * published, all queued events are left to the sweep.
   */
  function leave(failed: readonly PendingEvent[], everything: boolean): void {
    const subjects = new Set(failed.map(({ event }) => event.subject));
    const behind = queue.filter(({ pending }) => everything || subjects.has(pending.event.subject));
    if (behind.length > 0) {
      queue = everything ? [] : queue.filter(({ pending }) => !subjects.has(pending.event.subject));
      bytesQueued = bytesOf(queue);
    }
    for (const { event } of [...failed, ...behind.map(({ pending }) => pending)]) {
      inHand.delete(event.id);
      hold(event.subject);
    }
    // No pause is needed while the broker is unreachable: nothing is swept then, and the first sweep afterwards should
    // begin at once.
    if (!everything || !bus.health().canPublish) return;
    failures += 1;
    nextTryAt = monotonic() + Math.min(2 ** (failures - 1), longestBackOff) * sweepMs;
  }

  function release(pulled: readonly PendingEvent[]): void {
    for (const { event } of pulled)
      if (pulledMeanwhile) pulledMeanwhile.push(event.id);
      else inHand.delete(event.id);
  }

  function hold(subject: string): void {
    if (held.has(subject) || held.size < heldSubjects) held.set(subject, walks);
    else allHeldSince = walks;
  }

  function isHeld(subject: string): boolean {
    return allHeldSince > 0 || held.has(subject);
  }

  async function takePage(current: Walk): Promise<void> {
    const source = current.sources[current.sourceIndex];
    if (!source) return endWalk(true);
    const { events, next } = await readLeft(source, current.after);
    const taken = current.publishes === 'nothing' ? [] : takeable(events, current);
    const published = new Set<PendingEvent>();
    let isStuck = false;
    for (let start = 0; start < taken.length && !isStuck; start += batchEvents) {
      const batch = taken.slice(start, start + batchEvents);
      const confirmed = await send(batch);
      for (const pending of confirmed) published.add(pending);
      isStuck = confirmed.length === 0;
    }
    for (const pending of events) if (!published.has(pending)) note(pending, current);

    current.after = next;
    if (next === null) current.sourceIndex += 1;
    const hasLooked = current.publishes === 'nothing' && current.seen.size >= seenEvents;
    // The next walk begins after the failed events.
    const following = current.sources[current.sourceIndex];
    if (isStuck) resumeAt = following ? { source: following, after: current.after } : null;
    if (isStuck || hasLooked) endWalk(false);
  }

  /** Reads a page of events, without those that this process is already publishing. */
  async function readLeft(source: Source, after: string | null): ReturnType<typeof readPendingPage> {
    const pulled = (pulledMeanwhile = [] as string[]);
    try {
      const { events, next } = await readPendingPage(source, type, after);
      return { events: events.filter(({ event }) => !inHand.has(event.id)), next };
    } finally {
      pulledMeanwhile = null;
      for (const id of pulled) inHand.delete(id);
    }
  }

  /**
   * Returns the events that no other process is publishing: they were seen at least one sweep ago, or this process has
   * left them to the sweep.
   */
  function takeable(events: readonly PendingEvent[], current: Walk): PendingEvent[] {
    const waiting = new Set(queue.map(({ pending }) => pending.event.subject));
    // Half of a sweep's time is enough, because the timer of the sweeps is not exact.
    const seenBefore = monotonic() - sweepMs / 2;
    return events.filter(({ event: { id, subject } }) => {
      const since = seen.get(id);
      const isOld = since === undefined ? current.seen.size >= seenEvents : since <= seenBefore;
      if (!waiting.has(subject) && ((isOld && current.publishes === 'all') || isHeld(subject))) return true;
      waiting.add(subject);
      return false;
    });
  }

  /** Remembers an event that is left in its outbox. */
  function note({ event }: PendingEvent, current: Walk): void {
    const since = seen.get(event.id) ?? monotonic();
    if (current.seen.size < seenEvents) current.seen.set(event.id, since);
    if (held.has(event.subject)) held.set(event.subject, walks);
  }

  function endWalk(complete: boolean): void {
    if (!walk) return;
    const { fromStart, publishes, seen: left } = walk;
    walk = null;
    if (complete) resumeAt = null;
    if (!complete || !fromStart) {
      // The outboxes that this walk did not read may still hold known events.
      for (const [id, since] of left) if (seen.size < seenEvents) seen.set(id, since);
      return;
    }
    seen = left;
    if (publishes === 'nothing') return;
    // The walk has found every event that was left before the walk ahead of it began: its collections were looked up after
    // that. Such an event was published, or its subject was noted again.
    for (const [subject, since] of held) if (since < walks - 1) held.delete(subject);
    if (allHeldSince < walks - 1) allHeldSince = 0;
  }

  return {
    publish(events) {
      for (const pending of events) {
        const bytes = mongoose.mongo.BSON.calculateObjectSize(pending.event);
        const hasRoom = queue.length < queuedEvents && bytesQueued + bytes <= queuedBytes;
        if (!hasRoom || isHeld(pending.event.subject) || monotonic() < nextTryAt) {
          hold(pending.event.subject);
          continue;
        }
        queue.push({ pending, bytes });
        bytesQueued += bytes;
        inHand.add(pending.event.id);
      }
      if (queue.length > 0) run();
    },
    sweep(sources) {
      const canPublish = bus.health().canPublish;
      if (closed || walk || monotonic() < (canPublish ? nextTryAt : nextLookAt)) return;
      walks += 1;
      if (!canPublish) nextLookAt = monotonic() + lookEvery * sweepMs;
      const resumed = canPublish && resumeAt ? sources.indexOf(resumeAt.source) : -1;
      const from =
        resumed < 0 ? { sourceIndex: 0, after: null } : { sourceIndex: resumed, after: resumeAt?.after ?? null };
      const fromStart = from.sourceIndex === 0 && from.after === null;
      // While the broker was away, nobody could publish. So when it is back, every process begins with what it has written itself:
      // otherwise each would publish all of it.
      const whose = wasWithoutBroker ? 'own' : 'all';
      walk = { sources, ...from, fromStart, publishes: canPublish ? whose : 'nothing', seen: new Map() };
      wasWithoutBroker = !canPublish;
      run();
    },
    remembers() {
      return seen.size > 0 || held.size > 0 || allHeldSince > 0;
    },
    pendingSince() {
      let oldest = sendingSince;
      for (const since of seen.values()) oldest = Math.min(oldest ?? since, since);
      return oldest;
    },
    async close() {
      closed = true;
      while (running) await running;
    },
  };
}

function bytesOf(queue: readonly Queued[]): number {
  return queue.reduce((sum, { bytes }) => sum + bytes, 0);
}
