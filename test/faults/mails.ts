import type { FinalState } from './final-state.ts';
import type { ArrivedMail } from './mail-reader.ts';

/** Compares the mails that arrived with those that were sent. */
export interface MailCount {
  readonly arrived: number;
  /** The number of different `Message-ID`s. A mail program shows one mail for each. */
  readonly distinct: number;
  /** Arrivals of a mail that had arrived before. */
  readonly repeated: number;
  /** A text for each repeated arrival: the recipient, and the ms since the arrival before. */
  readonly again: readonly string[];
  /** The number of repeated arrivals after each kill of the sender. */
  readonly afterKill: readonly number[];
  /** Repeated arrivals without a kill of the sender since the arrival before. */
  readonly unexplained: number;
  /** Delivered according to the system, but not arrived. */
  readonly missing: number;
  /** Arrived without a delivery in the system, not counting mails to people who were erased. */
  readonly unknown: number;
}

// A mail that was sent before a kill may arrive after it.
const transitMs = 2000;

export function countMails(
  mails: readonly ArrivedMail[],
  { delivered }: Pick<FinalState, 'delivered'>,
  // The times are in ms since 1970, those of the kills in ascending order.
  {
    erased,
    senderKills,
    restoredAt = 0,
  }: { erased: ReadonlySet<string>; senderKills: readonly number[]; restoredAt?: number | undefined },
): MailCount {
  const lastArrivals = new Map<string, ArrivedMail>();
  const again: string[] = [];
  const afterKill = senderKills.map(() => 0);
  let unexplained = 0;
  for (const mail of mails) {
    const id = mail.messageId.replace(/@.*$/, '');
    const before = lastArrivals.get(id);
    lastArrivals.set(id, mail);
    if (!before) continue;
    again.push(`${mail.to} after ${mail.arrivedAt - before.arrivedAt} ms`);
    // A backup in which the mail was not sent yet was restored since.
    if (before.arrivedAt < restoredAt && mail.arrivedAt > restoredAt) continue;
    const kill = senderKills.findIndex((at) => at > before.arrivedAt - transitMs && at < mail.arrivedAt);
    if (kill === -1) unexplained += 1;
    else afterKill[kill] = (afterKill[kill] ?? 0) + 1;
  }
  const ids = new Set(lastArrivals.keys());
  return {
    arrived: mails.length,
    distinct: ids.size,
    repeated: again.length,
    again,
    afterKill,
    unexplained,
    missing: [...delivered].filter((id) => !ids.has(id)).length,
    unknown: [...lastArrivals].filter(([id, { to }]) => !delivered.has(id) && !erased.has(to)).length,
  };
}
