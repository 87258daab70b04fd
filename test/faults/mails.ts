import type { Evidence } from './evidence.ts';
import type { Arrived } from './mail-reader.ts';

/** The mails that arrived beside those that were to be sent. */
export interface MailCount {
  readonly arrived: number;
  /** Different ones: a reader's mail program shows one of each `Message-ID`. */
  readonly distinct: number;
  /** Arrivals of a mail that had arrived before. */
  readonly repeated: number;
  /** To whom those went, and how many ms after the one before. */
  readonly again: readonly string[];
  /** How many of those there were after each kill of the sender. */
  readonly afterKill: readonly number[];
  /** Those between whose arrivals the sender was never killed. */
  readonly unexplained: number;
  /** Handed over, as the system says, and not arrived. */
  readonly missing: number;
  /** Arrived, and nobody had been asked to send them; not counting those to people who are erased. */
  readonly unknown: number;
}

// What was sent just before a kill may arrive just after it.
const underWayMs = 2000;

export function countMails(
  mails: readonly Arrived[],
  { delivered }: Pick<Evidence, 'delivered'>,
  // The times of the kills are milliseconds since 1970, in their order.
  { erased, senderKills }: { erased: ReadonlySet<string>; senderKills: readonly number[] },
): MailCount {
  const lasts = new Map<string, Arrived>();
  const again: string[] = [];
  const afterKill = senderKills.map(() => 0);
  let unexplained = 0;
  for (const mail of mails) {
    const id = mail.messageId.replace(/@.*$/, '');
    const before = lasts.get(id);
    lasts.set(id, mail);
    if (!before) continue;
    again.push(`${mail.to} after ${mail.arrivedAt - before.arrivedAt} ms`);
    const kill = senderKills.findIndex((at) => at > before.arrivedAt - underWayMs && at < mail.arrivedAt);
    if (kill === -1) unexplained += 1;
    else afterKill[kill] = (afterKill[kill] ?? 0) + 1;
  }
  const ids = new Set(lasts.keys());
  return {
    arrived: mails.length,
    distinct: ids.size,
    repeated: again.length,
    again,
    afterKill,
    unexplained,
    missing: [...delivered].filter((id) => !ids.has(id)).length,
    unknown: [...lasts].filter(([id, { to }]) => !delivered.has(id) && !erased.has(to)).length,
  };
}
