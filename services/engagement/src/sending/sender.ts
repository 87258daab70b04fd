import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Loaded } from '@storefront/outbox';
import type { Logger } from 'pino';
import { unreachableDelay } from '../domain/backoff.ts';
import { claim, giveUp, leaseMs, recordAttempt, renew } from '../domain/delivery.ts';
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Suppressions } from '../store/suppressions.ts';
import type { SendingMetrics } from './metrics.ts';
import type { Letter, MailServer, Sent } from './smtp.ts';

/** Sends the deliveries that are due. Every instance of the service runs one. */
export interface Sender {
  /** Sends this one now, without waiting for the next look. */
  readonly nudge: (due: Loaded<Delivery>) => void;
  start(): void;
  /** Finishes what is being sent, at most 8 s. What is left is sent by another instance, or after the next start. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly deliveries: Deliveries;
  readonly suppressions: Suppressions;
  readonly server: MailServer;
  /** Writes the mail; throws where it can't be written. */
  readonly write: (delivery: Delivery) => Promise<Letter>;
  readonly metrics: SendingMetrics;
  readonly logger: Logger;
  readonly now: () => Date;
  /** How many conversations with the mail server are held at once. */
  readonly conversations: number;
  /** How many letters may be out and not written down; where the process is killed, as many go out twice. */
  readonly unrecorded: number;
  readonly sweepMs?: number;
}

// While letters are handed over, the next ones are taken in hand and written, several at once: then they share what is
// asked of the database.
const aheadOfEach = 3;
const sweepBatch = 500;
const recordRetryMs = 250;
const recordWithinMs = 45_000;

export function createSender(options: SenderOptions): Sender {
  const { deliveries, suppressions, server, metrics, logger, now } = options;
  const concurrency = options.conversations * (1 + aheadOfEach);
  const converse = pLimit(options.conversations);
  const handOver = pLimit(options.unrecorded);
  const waiting: Loaded<Delivery>[] = [];
  const inHand = new Set<string>();
  const underWay = new Set<Promise<void>>();
  // While the mail server is away one letter at a time asks whether it is back, and the others wait.
  let unreachable = 0;
  let quietUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | null = null;
  let closed = false;
  let stopped = false;

  function pump(): void {
    if (closed || underWay.size > allowance() / 2) return;
    while (waiting.length > 0 && underWay.size < allowance()) {
      const due = waiting.shift() as Loaded<Delivery>;
      const { id } = due.state;
      const work = deliver(due)
        .catch((error: unknown) => logger.warn({ err: error, delivery: id }, 'a delivery stopped short; tried again'))
        .finally(() => {
          underWay.delete(work);
          inHand.delete(id);
          pump();
        });
      underWay.add(work);
    }
  }

  function allowance(): number {
    if (unreachable === 0) return concurrency;
    return performance.now() < quietUntil ? 0 : 1;
  }

  function add(due: Loaded<Delivery>): void {
    if (inHand.has(due.state.id)) return;
    inHand.add(due.state.id);
    waiting.push(due);
  }

  async function sweep(): Promise<void> {
    // Longest due first, so that what waits already comes again: asked for when most of it is through.
    if (waiting.length < sweepBatch / 4) for (const due of await deliveries.due(now(), sweepBatch)) add(due);
    pump();
  }

  async function deliver(due: Loaded<Delivery>): Promise<void> {
    const { id } = due.state;
    const { result: delivery, version } = await deliveries.change(id, (current) => claim(current, now()), due);
    if (delivery === null) return;
    const renewing = setInterval(() => {
      // While the database is away nobody else can take it either.
      deliveries.change(id, (current) => renew(current, now())).catch(() => undefined);
    }, leaseMs / 3);
    await send(delivery, version).finally(() => clearInterval(renewing));
  }

  async function send(delivery: Delivery, version: number): Promise<void> {
    const [isOutdated, isSuppressed] = await Promise.all([
      deliveries.isOutdated(delivery),
      suppressions.has(delivery.email ?? ''),
    ]);
    if (isOutdated) return drop(delivery, 'superseded', 'newer_code_sent');
    // Whoever asks for a code waits for it there and then: that is worth another try at an address that was dead.
    if (isSuppressed && delivery.category !== 'security') return drop(delivery, 'suppressed', 'address_bounced');
    let letter: Letter;
    try {
      letter = await options.write(delivery);
    } catch (error) {
      logger.error({ err: error, delivery: delivery.id }, 'a mail could not be written');
      return drop(delivery, 'failed', 'not_writable');
    }
    const { sent, recorded } = await handOverInTurn(letter, async (answered) => {
      notice(delivery, answered);
      const { bounced: _bounced, ...attempt } = answered;
      return { sent: answered, recorded: await record(delivery, version, { ...attempt, at: now() }) };
    });
    // Whoever was erased meanwhile is not remembered here either.
    if (sent.bounced && recorded?.email) await suppressions.add(recorded.email, sent.answer);
    else if (sent.outcome === 'accepted' && isSuppressed) await suppressions.remove(letter.to);
  }

  /** Many conversations are held at once, but none is brought to its end before the letters before are written down. */
  async function handOverInTurn<Result>(letter: Letter, writeDown: (sent: Sent) => Promise<Result>): Promise<Result> {
    const over = Promise.withResolvers<void>();
    const turn = () =>
      new Promise<void>((begin) => {
        void handOver(() => {
          begin();
          return over.promise;
        });
      });
    try {
      return await writeDown(await converse(() => server.send(letter, turn)));
    } finally {
      over.resolve();
    }
  }

  async function drop({ id }: Delivery, status: 'failed' | 'superseded' | 'suppressed', reason: string): Promise<void> {
    await deliveries.change(id, (current) => giveUp(current, status, reason, now()));
  }

  // The letter is out: while the database is away, only remembering it here keeps it from going out again.
  async function record(state: Delivery, version: number, attempt: Attempt): Promise<Delivery | null> {
    const deadline = performance.now() + recordWithinMs;
    for (;;) {
      try {
        const attempted = (current: Delivery | null) => recordAttempt(current, attempt, now(), Math.random());
        return (await deliveries.change(state.id, attempted, { state, version })).result;
      } catch (error) {
        if (stopped || performance.now() > deadline) throw error;
        await wait(recordRetryMs);
      }
    }
  }

  function notice(delivery: Delivery, sent: Sent): void {
    metrics.attempts.inc({ outcome: sent.outcome });
    logger.info(
      { delivery: delivery.id, template: delivery.template, outcome: sent.outcome, ms: sent.milliseconds },
      'mail',
    );
    if (sent.outcome === 'unreachable') {
      // Several that were under way together are one sign, not many.
      if (performance.now() < quietUntil) return;
      unreachable += 1;
      quietUntil = performance.now() + unreachableDelay(unreachable);
      if (unreachable === 1) logger.warn({ answer: sent.answer }, 'the mail server is away; mail waits');
      return;
    }
    if (unreachable > 0) logger.info('the mail server is back');
    unreachable = 0;
    if (sent.outcome === 'accepted' && delivery.attemptCount === 0)
      metrics.handover.observe((now().getTime() - delivery.createdAt.getTime()) / 1000);
  }

  return {
    nudge(due) {
      // What waits for the mail server's return is found by the sweeps, and so are more than need to be kept in mind.
      if (closed || unreachable > 0 || waiting.length >= sweepBatch) return;
      add(due);
      pump();
    },
    start() {
      timer = setInterval(() => {
        sweeping ??= sweep()
          .catch((error: unknown) => logger.warn({ err: error }, 'looking for due mail failed; tried again'))
          .finally(() => (sweeping = null));
      }, options.sweepMs ?? 1000);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.race([Promise.allSettled([sweeping, ...underWay]), wait(8000, undefined, { ref: false })]);
      stopped = true;
      server.close();
    },
  };
}
