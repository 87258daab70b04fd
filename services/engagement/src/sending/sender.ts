import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { unreachableDelay } from '../domain/backoff.ts';
import { claim, giveUp, leaseMs, recordAttempt, renew } from '../domain/delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Suppressions } from '../store/suppressions.ts';
import type { SendingMetrics } from './metrics.ts';
import type { Letter, MailServer, Sent } from './smtp.ts';

/** Sends the deliveries that are due. Every instance of the service runs one. */
export interface Sender {
  /** Sends this one now, without waiting for the next look. */
  readonly nudge: (id: string) => void;
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
  /** How many letters are handed over at once; where the process is killed, as many may go out twice. */
  readonly handovers: number;
  readonly sweepMs?: number;
}

// While one letter is handed over, the next ones are taken in hand and written.
const aheadOfEach = 2;
const sweepBatch = 500;
const recordRetryMs = 250;
const recordWithinMs = 45_000;

export function createSender(options: SenderOptions): Sender {
  const { deliveries, suppressions, server, metrics, logger, now } = options;
  const concurrency = options.handovers * (1 + aheadOfEach);
  const handOver = pLimit(options.handovers);
  const waiting: string[] = [];
  const known = new Set<string>();
  const underWay = new Set<Promise<void>>();
  // While the mail server is away one letter at a time asks whether it is back, and the others wait.
  let unreachable = 0;
  let quietUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | null = null;
  let closed = false;
  let stopped = false;

  function pump(): void {
    if (closed) return;
    while (waiting.length > 0 && underWay.size < allowance()) {
      const id = waiting.shift() as string;
      const work = deliver(id)
        .catch((error: unknown) => logger.warn({ err: error, delivery: id }, 'a delivery stopped short; tried again'))
        .finally(() => {
          underWay.delete(work);
          known.delete(id);
          pump();
        });
      underWay.add(work);
    }
  }

  function allowance(): number {
    if (unreachable === 0) return concurrency;
    return performance.now() < quietUntil ? 0 : 1;
  }

  function add(id: string): void {
    if (known.has(id)) return;
    known.add(id);
    waiting.push(id);
  }

  async function sweep(): Promise<void> {
    if (waiting.length < sweepBatch) for (const id of await deliveries.due(now(), sweepBatch)) add(id);
    pump();
  }

  async function deliver(id: string): Promise<void> {
    const { result: delivery } = await deliveries.change(id, (current) => claim(current, now()));
    if (delivery === null) return;
    const renewing = setInterval(() => {
      // While the database is away nobody else can take it either.
      deliveries.change(id, (current) => renew(current, now())).catch(() => undefined);
    }, leaseMs / 3);
    await send(delivery).finally(() => clearInterval(renewing));
  }

  async function send(delivery: Delivery): Promise<void> {
    if (await deliveries.isOutdated(delivery)) return drop(delivery, 'superseded', 'newer_code_sent');
    // Whoever asks for a code waits for it there and then: that is worth another try at an address that was dead.
    if (delivery.category !== 'security' && (await suppressions.has(delivery.email ?? '')))
      return drop(delivery, 'suppressed', 'address_bounced');
    let letter: Letter;
    try {
      letter = await options.write(delivery);
    } catch (error) {
      logger.error({ err: error, delivery: delivery.id }, 'a mail could not be written');
      return drop(delivery, 'failed', 'not_writable');
    }
    const { sent, recorded } = await handOver(async () => {
      const at = now();
      const answered = await server.send(letter);
      notice(delivery, answered);
      const { bounced: _bounced, ...attempt } = answered;
      return { sent: answered, recorded: await record(delivery, { ...attempt, at }) };
    });
    // Whoever was erased meanwhile is not remembered here either.
    if (sent.bounced && recorded?.email) await suppressions.add(recorded.email, sent.answer);
    else if (sent.outcome === 'accepted' && delivery.category === 'security') await suppressions.remove(letter.to);
  }

  async function drop({ id }: Delivery, status: 'failed' | 'superseded' | 'suppressed', reason: string): Promise<void> {
    await deliveries.change(id, (current) => giveUp(current, status, reason, now()));
  }

  // The letter is out: while the database is away, only remembering it here keeps it from going out again.
  async function record({ id }: Delivery, attempt: Parameters<typeof recordAttempt>[1]): Promise<Delivery | null> {
    const deadline = performance.now() + recordWithinMs;
    for (;;) {
      try {
        const attempted = (current: Delivery | null) => recordAttempt(current, attempt, now(), Math.random());
        return (await deliveries.change(id, attempted)).result;
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
    nudge(id) {
      // What waits for the mail server's return is found by the sweeps.
      if (closed || unreachable > 0) return;
      add(id);
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
