import { setTimeout as wait } from 'node:timers/promises';
import type { Loaded } from '@storefront/mongo';
import { Counter, Histogram, repeatEvery, type Registry } from '@storefront/process';
import type { HandoverResult } from '../domain/outgoing-mail.ts';
import type { MessageDelivery } from '../domain/delivery.ts';
import { lanes, type Lane } from '../domain/lane.ts';
import { afterAttempt, allowedAtOnce, noOutage, type Outage } from '../domain/outage.ts';
import type { Deliveries } from '../store/deliveries.ts';
import { createHandoverTurns, forAnnouncements, type HandoverLimits } from './handover-turns.ts';
import { sendDelivery, type SendingMetrics, type SendingNeeds } from './send-delivery.ts';

/**
 * Sends due deliveries, also the deliveries of instances that have ended. Every instance of the service runs one
 * sender.
 */
export interface MailSender {
  /** Sends this delivery now instead of when the next search finds it. */
  readonly sendNow: (due: Loaded<MessageDelivery>) => void;
  start(): void;
  /** Waits at most 8 s for the mails that are being sent. Another instance, or the next start, sends the others. */
  close(): Promise<void>;
}

export interface MailSenderOptions extends Omit<SendingNeeds, 'turns' | 'stopped' | 'metrics'>, HandoverLimits {
  readonly deliveries: Deliveries;
  readonly metrics: Registry;
}

// While some mails are handed over to the mail server, the next ones are prepared. Several are prepared at once, so
// that they share database commands.
const preparedPerConnection = 3;
// New mails of this instance are sent at once. A search finds mails that are tried again, and those of an instance that
// ended. It is rare while no mail waits and no instance is sending one.
const [searchEveryMs, idleTurns] = [1000, 5];
// So long the first two waits of a mail that was deferred may take.
const busyAfterFailureMs = 10_000;
const maxWaiting = 500;
const finishWithinMs = 8000;

/** The mails of one lane, transactional or announcement, in a sender. */
interface Queue {
  readonly lane: Lane;
  /** How many connections the lane may use. */
  readonly connections: number;
  readonly waiting: Loaded<MessageDelivery>[];
  readonly sending: Set<Promise<void>>;
  /**
   * The state of the mail server, as the mails of this lane show it. Failures of announcements do not pause other mail.
   */
  outage: Outage;
}

export function createMailSender(options: MailSenderOptions): MailSender {
  const { connections, deliveries, lease, mailServer, logger } = options;
  const stopping = new AbortController();
  const turns = createHandoverTurns(options);
  const metrics = createMetrics(options.metrics);
  const needs: SendingNeeds = { ...options, turns, metrics, stopped: stopping.signal };
  const queueOf = (lane: Lane, of: number): Queue => ({
    lane,
    connections: of,
    waiting: [],
    sending: new Set(),
    outage: noOutage,
  });
  const queues: Readonly<Record<Lane, Queue>> = {
    transactional: queueOf('transactional', connections),
    announcement: queueOf('announcement', forAnnouncements(connections)),
  };
  /** The ids of the deliveries that wait or are being sent. */
  const taken = new Set<string>();
  let searches: ReturnType<typeof repeatEvery> | undefined;
  /** Until then searches are not rare, though none may find a mail. */
  let busyUntil = -Infinity;
  let closed = false;

  function add(due: Loaded<MessageDelivery>): void {
    if (taken.has(due.state.id)) return;
    taken.add(due.state.id);
    queues[due.state.lane].waiting.push(due);
  }

  function sendNext(): void {
    if (closed || !lease.isHeld(lease.holder)) return;
    sendNextOf(queues.transactional);
    if (queues.transactional.waiting.length === 0) sendNextOf(queues.announcement);
  }

  function sendNextOf({ lane, connections: usable, waiting, sending, outage }: Queue): void {
    const allowed = allowedAtOnce(outage, usable * (1 + preparedPerConnection), performance.now());
    const underWay = sending.size - turns.overdue(lane);
    // Several mails begin together, so that they share database commands.
    if (underWay > allowed / 2) return;
    // A marked delivery stores that the end of its mail is about to be sent. Where few mails wait, each is marked when
    // it is taken, so that it is sent sooner. Where many wait, each is marked while the mail before it is being saved.
    const marks = waiting.length + underWay <= usable;
    for (const due of waiting.splice(0, allowed - underWay)) begin(due, marks);
  }

  function begin(due: Loaded<MessageDelivery>, marks: boolean): void {
    const { id } = due.state;
    const queue = queues[due.state.lane];
    const { sending } = queue;
    const sent = sendDelivery(needs, due, { marks })
      .then((result) => learn(queue, due.state, result))
      .catch((error: unknown) =>
        logger.warn({ err: error, delivery: id }, 'a delivery failed midway; it is tried again'),
      )
      .finally(() => {
        sending.delete(sent);
        taken.delete(id);
        sendNext();
      });
    sending.add(sent);
  }

  function learn(queue: Queue, { deferrals, inDoubt }: MessageDelivery, result: HandoverResult | null): void {
    if (result === null) return;
    if (result.outcome !== 'accepted') stayBusy();
    const { lane, outage: before } = queue;
    const attempt = { outcome: result.outcome, isRepeated: deferrals + inDoubt > 0 };
    queue.outage = afterAttempt(before, attempt, performance.now());
    const { failures } = queue.outage;
    if (before.failures === 0 && failures > 0)
      logger.warn({ answer: result.answer, lane }, 'the mail server is away; mail waits');
    else if (before.failures > 0 && failures === 0) logger.info({ lane }, 'the mail server is back');
  }

  function stayBusy(): void {
    const now = performance.now();
    // The search that is begun here ends the rest after the last one.
    if (now > busyUntil) searches?.now();
    busyUntil = now + busyAfterFailureMs;
  }

  async function search(): Promise<'idle' | void> {
    // The search returns the longest due deliveries first, so it would find the waiting ones again. So it searches only
    // when most waiting deliveries have been sent.
    const searched = lanes.filter((lane) => queues[lane].waiting.length < maxWaiting / 4);
    for (const lane of searched) for (const due of await deliveries.due(lane, lease.now(), maxWaiting)) add(due);
    const held = searched.length > 0 ? await deliveries.held() : [];
    for (const found of await abandoned(held)) add(found);
    sendNext();
    return taken.size === 0 && held.length === 0 && performance.now() > busyUntil ? 'idle' : undefined;
  }

  /**
   * Of the deliveries that are held, those of instances that have ended, and those that this instance holds but is not
   * sending.
   */
  async function abandoned(all: Awaited<ReturnType<Deliveries['held']>>): Promise<Loaded<MessageDelivery>[]> {
    const { holder: own } = lease;
    // This instance still holds deliveries that it could not save. A delivery that it is sending is in `taken`, from
    // before it is claimed until after it has ended.
    const held = all.filter(({ id, holder }) => holder !== own || !taken.has(id));
    const holders: string[] = [];
    for (const holder of new Set(held.map((each) => each.holder)))
      if (holder === own || (await lease.hasEnded(holder))) holders.push(holder);
    return holders.length === 0 ? [] : deliveries.heldBy(holders, maxWaiting);
  }

  return {
    sendNow(due) {
      // A later search finds the deliveries that wait for the mail server and those that are too many for memory.
      const { outage, waiting } = queues[due.state.lane];
      if (closed || outage.failures > 0 || waiting.length >= maxWaiting) return;
      add(due);
      sendNext();
    },
    start() {
      const failure = 'searching for due mail failed; it is tried again';
      searches = repeatEvery(searchEveryMs, search, { logger, failure, idleTurns });
    },
    async close() {
      closed = true;
      await Promise.race([
        Promise.allSettled([searches?.stop(), ...lanes.flatMap((lane) => [...queues[lane].sending])]),
        wait(finishWithinMs, undefined, { ref: false }),
      ]);
      stopping.abort();
      mailServer.close();
    },
  };
}

function createMetrics(registry: Registry): SendingMetrics {
  return {
    attempts: new Counter({
      name: 'mail_attempts_total',
      help: 'Tries to hand a mail to the mail server, by what it said',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    handover: new Histogram({
      name: 'mail_handover_seconds',
      help: 'Time from the request of a mail to the mail server taking it, where the first try succeeded',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    }),
  };
}
