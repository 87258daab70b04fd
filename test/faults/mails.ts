import type { Evidence } from './evidence.ts';
import type { Arrived } from './mail-reader.ts';

/** The mails that arrived beside those that were to be sent. */
export interface MailCount {
  readonly arrived: number;
  /** Different ones: a reader's mail program shows one of each `Message-ID`. */
  readonly distinct: number;
  /** Arrivals of a mail that had arrived before. */
  readonly repeated: number;
  /** To whom those went, and how many ms after the first. */
  readonly again: readonly string[];
  /** Handed over, as the system says, and not arrived. */
  readonly missing: number;
  /** Arrived, and nobody had been asked to send them; not counting those to people who are erased. */
  readonly unknown: number;
}

export function countMails(
  mails: readonly Arrived[],
  { delivered }: Pick<Evidence, 'delivered'>,
  erased: ReadonlySet<string>,
): MailCount {
  const firsts = new Map<string, Arrived>();
  const again: string[] = [];
  for (const mail of mails) {
    const id = mail.messageId.replace(/@.*$/, '');
    const first = firsts.get(id);
    if (first) again.push(`${mail.to} after ${mail.arrivedAt - first.arrivedAt} ms`);
    else firsts.set(id, mail);
  }
  const ids = new Set(firsts.keys());
  return {
    arrived: mails.length,
    distinct: ids.size,
    repeated: again.length,
    again,
    missing: [...delivered].filter((id) => !ids.has(id)).length,
    unknown: [...firsts].filter(([id, { to }]) => !delivered.has(id) && !erased.has(to)).length,
  };
}
