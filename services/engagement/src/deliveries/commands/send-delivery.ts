import { setTimeout as wait } from 'node:timers/promises';
import type { Loaded } from '@storefront/mongo';
import type { LimitFunction } from 'p-limit';
import type { Logger } from 'pino';
import type { HandoverResult, OutgoingMail } from '../../mails/domain/outgoing-mail.ts';
import type { MailServer } from '../../mails/smtp/mail-server.ts';
import type { Suppressions } from '../../mails/store/suppressions.ts';
import { cancelDelivery, claimDelivery, recordAttempt, renewEveryMs, renewLease } from '../domain/delivery.ts';
import type { Attempt, MessageDelivery } from '../domain/delivery.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { SendingMetrics } from './sending-metrics.ts';

export interface SendingNeeds {
  readonly deliveries: Pick<Deliveries, 'change' | 'isOutdated'>;
  readonly suppressions: Suppressions;
  readonly mailServer: MailServer;
  /** Writes the mail; throws where it can't be written. */
  readonly writeMail: (delivery: MessageDelivery) => Promise<OutgoingMail>;
  /**
   * Limits how many mails the mail server has accepted without their deliveries being saved yet. As many go out twice
   * where the process is killed.
   */
  readonly acceptance: LimitFunction;
  readonly metrics: SendingMetrics;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Aborted when the service stops: then a failed save is not tried again. */
  readonly stopped: AbortSignal;
}

const saveRetryMs = 250;
const saveWithinMs = 45_000;

/**
 * Sends a delivery that is due and saves what came of it. Returns the mail server's answer; null where no mail was
 * handed over, because another sender has the delivery or because it is not to be sent any more. Throws where the
 * database is away: then the delivery is due again once its lease has ended.
 */
export async function sendDelivery(needs: SendingNeeds, due: Loaded<MessageDelivery>): Promise<HandoverResult | null> {
  const { deliveries, now } = needs;
  const { id } = due.state;
  const { result: state, version } = await deliveries.change(id, (current) => claimDelivery(current, now()), due);
  if (state === null) return null;
  const renewal = setInterval(() => {
    // While the database is away no other sender can take the delivery either, so a renewal may fail.
    deliveries.change(id, (current) => renewLease(current, now())).catch(() => undefined);
  }, renewEveryMs);
  try {
    return await sendClaimed(needs, { state, version });
  } finally {
    clearInterval(renewal);
  }
}

async function sendClaimed(needs: SendingNeeds, claimed: Loaded<MessageDelivery>): Promise<HandoverResult | null> {
  const { deliveries, suppressions, logger, now } = needs;
  const delivery = claimed.state;
  const [isOutdated, isSuppressed] = await Promise.all([
    deliveries.isOutdated(delivery),
    suppressions.has(delivery.email ?? ''),
  ]);
  if (isOutdated) return cancel('superseded', 'newer_code_sent');
  // A user who asks for a code waits for it: that is worth a try at an address that has bounced.
  if (isSuppressed && delivery.category !== 'security') return cancel('suppressed', 'address_bounced');
  let mail: OutgoingMail;
  try {
    mail = await needs.writeMail(delivery);
  } catch (error) {
    logger.error({ err: error, delivery: delivery.id }, 'a mail could not be written');
    return cancel('failed', 'not_writable');
  }

  const { result, saved } = await handOver(needs, claimed, mail);
  // Where the user was erased meanwhile, the address is not kept here either.
  if (result.bounced && saved?.email) await suppressions.add(saved.email, result.answer);
  else if (result.outcome === 'accepted' && isSuppressed) await suppressions.remove(mail.to);
  return result;

  async function cancel(status: 'failed' | 'superseded' | 'suppressed', reason: string): Promise<null> {
    await deliveries.change(delivery.id, (current) => cancelDelivery(current, status, reason, now()));
    return null;
  }
}

/** Many mails are on their way at once; none is accepted before there is a place for one more that is not saved. */
async function handOver(
  needs: SendingNeeds,
  claimed: Loaded<MessageDelivery>,
  mail: OutgoingMail,
): Promise<{ result: HandoverResult; saved: MessageDelivery | null }> {
  const place = placeWithin(needs.acceptance);
  try {
    const result = await needs.mailServer.send(mail, place.acquire);
    report(needs, claimed.state, result);
    const { bounced: _bounced, ...attempt } = result;
    return { result, saved: await saveAttempt(needs, claimed, { ...attempt, at: needs.now() }) };
  } finally {
    place.release();
  }
}

/**
 * One place within a limit: `acquire` resolves once it is free; `release` gives it back, also before it is acquired.
 */
function placeWithin(limit: LimitFunction): { acquire: () => Promise<void>; release: () => void } {
  const released = Promise.withResolvers<void>();
  const acquire = () =>
    new Promise<void>((acquired) => {
      void limit(() => {
        acquired();
        return released.promise;
      });
    });
  return { acquire, release: released.resolve };
}

function report({ metrics, logger, now }: SendingNeeds, delivery: MessageDelivery, result: HandoverResult): void {
  const { outcome, milliseconds: ms } = result;
  metrics.attempts.inc({ outcome });
  logger.info({ delivery: delivery.id, template: delivery.template, outcome, ms }, 'mail');
  if (outcome === 'accepted' && delivery.attemptCount === 0)
    metrics.handover.observe((now().getTime() - delivery.createdAt.getTime()) / 1000);
}

// The mail may be out already: while the database is away, only trying again here keeps it from going out twice.
async function saveAttempt(
  { deliveries, now, stopped }: SendingNeeds,
  claimed: Loaded<MessageDelivery>,
  attempt: Attempt,
): Promise<MessageDelivery | null> {
  const deadline = performance.now() + saveWithinMs;
  const decide = (current: MessageDelivery | null) => recordAttempt(current, attempt, now(), Math.random());
  for (;;) {
    try {
      return (await deliveries.change(claimed.state.id, decide, claimed)).result;
    } catch (error) {
      if (stopped.aborted || performance.now() > deadline) throw error;
      await wait(saveRetryMs);
    }
  }
}
