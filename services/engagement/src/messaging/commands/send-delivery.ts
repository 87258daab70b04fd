import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lease, Loaded } from '@storefront/mongo';
import type { Counter, Histogram } from '@storefront/process';
import type { Logger } from 'pino';
import type { HandoverResult, OutgoingMail } from '../domain/outgoing-mail.ts';
import type { MailServer } from '../smtp/mail-server.ts';
import type { Suppressions } from '../store/suppressions.ts';
import {
  cancelDelivery,
  claimDelivery,
  markEnding,
  recordAttempt,
  releaseDelivery,
  type Attempt,
  type Claim,
  type MessageDelivery,
} from '../domain/delivery.ts';
import type { DoubtDelays } from '../domain/retry-delays.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { HandoverTurns } from './handover-turns.ts';

export interface SendingMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly handover: Histogram;
}

export interface SendingNeeds {
  readonly deliveries: Pick<Deliveries, 'change' | 'isOutdated' | 'isDatabaseAway'>;
  readonly suppressions: Suppressions;
  readonly mailServer: MailServer;
  /** Returns as a code why a due mail must not be sent any more, or null where the mail may be sent. */
  readonly objectionTo: (delivery: MessageDelivery) => Promise<string | null>;
  /** Writes the mail of a delivery. Throws where the mail can't be written. */
  readonly writeMail: (delivery: MessageDelivery) => Promise<OutgoingMail>;
  /** Decides when each mail may use a connection, and when the end of the mail may be sent. */
  readonly turns: Pick<HandoverTurns, 'next'>;
  /** The lease under which this instance takes deliveries. Its time decides whether a delivery is due. */
  readonly lease: Pick<Lease, 'holder' | 'isHeld' | 'hasEnded' | 'now'>;
  readonly doubtDelays: DoubtDelays;
  readonly metrics: SendingMetrics;
  readonly logger: Logger;
  /** Aborted when the service stops. Then no further mail is completed, and a failed save is not tried again. */
  readonly stopped: AbortSignal;
}

/** A delivery that this instance has taken for one attempt. */
interface Claimed extends Loaded<MessageDelivery> {
  readonly claim: Claim;
}

const saveRetryMs = 250;
/**
 * The most errors to accept that do not mean "the database is away". Some of these errors pass within seconds, the
 * others never do.
 */
const maxOtherErrors = 20;

/**
 * Sends a delivery that is due, or whose holder has ended, and saves the result. Returns the mail server's answer.
 * Returns null where no mail was handed over, because another sender has the delivery or because it must not be sent
 * any more. Throws where the database failed midway; the delivery is then due again.
 * With `marks`, the claim already stores that the end of the mail is about to be sent, which saves a write. Where this
 * process is then killed before it sends the end, the mail counts as in doubt and is late by the wait for such mails.
 */
export async function sendDelivery(
  needs: SendingNeeds,
  found: Loaded<MessageDelivery>,
  { marks }: { readonly marks: boolean },
): Promise<HandoverResult | null> {
  const { deliveries, lease, doubtDelays } = needs;
  const { id, holder: endedHolder } = found.state;
  const claim: Claim = { holder: lease.holder, attempt: randomUUID() };
  try {
    const { result: state, version } = await deliveries.change(
      id,
      (current) => claimDelivery(current, { ...claim, marks, endedHolder, now: lease.now(), doubtDelays }),
      found,
    );
    return state === null ? null : await sendClaimed(needs, { state, version, claim });
  } catch (error) {
    // This is needed whether the claim was written or not.
    await release(needs, id, claim);
    throw error;
  }
}

/**
 * Makes a delivery due again. Only for a delivery where the end of the mail was certainly not sent, so that the mail
 * server can't have accepted the mail.
 */
async function release(needs: SendingNeeds, id: string, claim: Claim): Promise<void> {
  await untilSaved(needs, id, () =>
    needs.deliveries.change(id, (current) => releaseDelivery(current, claim, needs.lease.now())),
  );
}

async function sendClaimed(needs: SendingNeeds, claimed: Claimed): Promise<HandoverResult | null> {
  const { deliveries, suppressions, lease, logger } = needs;
  const delivery = claimed.state;
  const [isOutdated, isSuppressed, objection] = await Promise.all([
    deliveries.isOutdated(delivery),
    suppressions.has(delivery.email ?? ''),
    needs.objectionTo(delivery),
  ]);
  if (isOutdated) return cancel('superseded', 'newer_code_sent');
  if (objection !== null) return cancel('suppressed', objection);
  // A user who asked for a code waits for it, so a security mail is tried although the address has bounced.
  if (isSuppressed && delivery.category !== 'security') return cancel('suppressed', 'address_bounced');
  let mail: OutgoingMail;
  try {
    mail = await needs.writeMail(delivery);
  } catch (error) {
    logger.error({ err: error, delivery: delivery.id }, 'a mail could not be written');
    return cancel('failed', 'not_writable');
  }

  const { result, saved } = await handOver(needs, claimed, mail);
  if (result === null) {
    await release(needs, delivery.id, claimed.claim);
    return null;
  }
  // Where the user was erased meanwhile, `saved` has no address, and the address must not be stored here either.
  if (result.bounced && saved?.email) await suppressions.add(saved.email, result.answer);
  else if (result.outcome === 'accepted' && isSuppressed) await suppressions.remove(mail.to);
  return result;

  async function cancel(status: 'failed' | 'superseded' | 'suppressed', reason: string): Promise<null> {
    await deliveries.change(delivery.id, (current) =>
      cancelDelivery(current, claimed.claim, status, reason, lease.now()),
    );
    return null;
  }
}

/**
 * Hands a mail over while others are on their way. The end of a mail is sent only in the mail's turn, and only while
 * this instance holds the delivery.
 */
async function handOver(
  needs: SendingNeeds,
  claimed: Claimed,
  mail: OutgoingMail,
): Promise<{ result: HandoverResult | null; saved: MessageDelivery | null }> {
  const { deliveries, lease, logger, mailServer, stopped } = needs;
  const { claim } = claimed;
  const turn = needs.turns.next(claimed.state.lane);
  let known: Loaded<MessageDelivery> = claimed;
  const isMarked = claimed.state.ending === claim.attempt;
  let isOver = false;
  try {
    await turn.toConnect();
    const result = stopped.aborted ? null : await mailServer.send(mail, mayEnd);
    isOver = true;
    if (result?.outcome !== 'in_doubt') turn.answered();
    if (result === null) return { result, saved: null };
    report(needs, claimed.state, result);
    const { bounced: _bounced, ...attempt } = result;
    return { result, saved: await saveAttempt(needs, claim, known, { ...attempt, at: lease.now() }) };
  } finally {
    isOver = true;
    turn.saved();
  }

  // First the delivery stores that the end of the mail is about to be sent; only then the end is sent. If this sender
  // is halted in between, the next holder of the delivery knows that the mail may have been sent.
  async function mayEnd(): Promise<boolean> {
    if (!isMarked) {
      await turn.toMark();
      if (isOver || !(await mark())) return false;
    }
    await turn.toEnd();
    return !isOver && !stopped.aborted && lease.isHeld(claim.holder);
  }

  async function mark(): Promise<boolean> {
    try {
      const { result: state, version } = await deliveries.change(
        claimed.state.id,
        (current) => markEnding(current, claim),
        claimed,
      );
      if (state === null) return false;
      known = { state, version };
      return true;
    } catch (error) {
      logger.warn({ err: error, delivery: claimed.state.id }, 'a mail was not ended: the database is away');
      return false;
    }
  }
}

function report({ metrics, logger, lease }: SendingNeeds, delivery: MessageDelivery, result: HandoverResult): void {
  const { outcome, milliseconds: ms } = result;
  metrics.attempts.inc({ outcome });
  logger.info({ delivery: delivery.id, template: delivery.template, outcome, ms }, 'mail');
  if (outcome === 'accepted' && delivery.attemptCount === 0)
    metrics.handover.observe((lease.now().getTime() - delivery.createdAt.getTime()) / 1000);
}

async function saveAttempt(
  needs: SendingNeeds,
  claim: Claim,
  known: Loaded<MessageDelivery>,
  attempt: Attempt,
): Promise<MessageDelivery | null> {
  const { deliveries, doubtDelays, lease } = needs;
  const recording = () => ({ now: lease.now(), random: Math.random(), doubtDelays });
  const decide = (current: MessageDelivery | null) => recordAttempt(current, claim, attempt, recording());
  const { id } = known.state;
  return untilSaved(needs, id, async () => (await deliveries.change(id, decide, known)).result);
}

/**
 * Repeats the save for as long as the database is away, since no other instance can end a delivery that this one holds.
 * Returns null where the service stops first, or where another error stays. Then the sender's next search finds the
 * delivery.
 */
async function untilSaved<Result>(
  { deliveries, logger, stopped }: SendingNeeds,
  id: string,
  save: () => Promise<Result>,
): Promise<Result | null> {
  let otherErrors = 0;
  for (let errors = 1; ; errors += 1) {
    try {
      return await save();
    } catch (error) {
      const about = { err: error, delivery: id };
      if (stopped.aborted) {
        logger.warn(about, 'a delivery could not be saved before the end; another instance takes it');
        return null;
      }
      if (!deliveries.isDatabaseAway(error)) otherErrors += 1;
      if (otherErrors === maxOtherErrors) {
        logger.error(about, 'a delivery could not be saved, though the database answers');
        return null;
      }
      if (errors === 1) logger.warn(about, 'a delivery could not be saved; it is tried again');
      await wait(saveRetryMs);
    }
  }
}
