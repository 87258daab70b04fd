import type { Mail, MailSummary } from './mail.ts';
import { parseSearch } from './search.ts';

interface StoredMail {
  summary: MailSummary;
  mail: Mail;
}

export interface MailStore {
  add(mail: StoredMail): void;
  /**
   * Returns at most `limit` mails after the first `start` mails, newest first. `matching` is the number of all mails
   * that match the search.
   */
  list(query: string, start: number, limit: number): { page: MailSummary[]; matching: number };
  /** Returns the mail and marks it as read. */
  open(id: string): Mail | undefined;
  /** Removes the mails with these ids, or all mails if no ids are given. */
  remove(ids?: readonly string[]): void;
  counts(): { total: number; unread: number };
}

/** Keeps the newest `capacity` mails in memory. Calls `onRemoved` for each mail that is removed, also by newer ones. */
export function createMailStore(capacity: number, onRemoved: (id: string) => void): MailStore {
  const removeOne = (id: string) => void (mails.delete(id) && onRemoved(id));
  const mails = new Map<string, StoredMail>();
  return {
    add(mail) {
      mails.set(mail.summary.ID, mail);
      for (const oldest of mails.keys()) {
        if (mails.size <= capacity) break;
        removeOne(oldest);
      }
    },
    list(query, start, limit) {
      const matches = parseSearch(query);
      const found = [...mails.values()].toReversed().filter(({ mail }) => matches(mail));
      return { page: found.slice(start, start + limit).map(({ summary }) => summary), matching: found.length };
    },
    open(id) {
      const stored = mails.get(id);
      if (stored) stored.summary.Read = true;
      return stored?.mail;
    },
    remove(ids = [...mails.keys()]) {
      for (const id of ids) removeOne(id);
    },
    counts() {
      const unread = [...mails.values()].filter(({ summary }) => !summary.Read).length;
      return { total: mails.size, unread };
    },
  };
}
