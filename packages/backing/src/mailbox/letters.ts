import type { Mail, MailSummary } from './mail.ts';
import { parseSearch } from './search.ts';

interface Letter {
  summary: MailSummary;
  mail: Mail;
}

export interface Letters {
  add(letter: Letter): void;
  /** Newest first, `start` passed over, at most `limit`; `matching` counts all that the search finds. */
  list(query: string, start: number, limit: number): { page: MailSummary[]; matching: number };
  /** The mail, marked as read. */
  open(id: string): Mail | undefined;
  /** Removes the named ones, or all. */
  remove(ids?: readonly string[]): void;
  counts(): { total: number; unread: number };
}

/** The mails in memory: the newest `capacity` of them. */
export function createLetters(capacity: number): Letters {
  const letters = new Map<string, Letter>();
  return {
    add(letter) {
      letters.set(letter.summary.ID, letter);
      for (const oldest of letters.keys()) {
        if (letters.size <= capacity) break;
        letters.delete(oldest);
      }
    },
    list(query, start, limit) {
      const matches = parseSearch(query);
      const found = [...letters.values()].toReversed().filter(({ mail }) => matches(mail));
      return { page: found.slice(start, start + limit).map(({ summary }) => summary), matching: found.length };
    },
    open(id) {
      const letter = letters.get(id);
      if (letter) letter.summary.Read = true;
      return letter?.mail;
    },
    remove(ids = [...letters.keys()]) {
      for (const id of ids) letters.delete(id);
    },
    counts() {
      const unread = [...letters.values()].filter(({ summary }) => !summary.Read).length;
      return { total: letters.size, unread };
    },
  };
}
