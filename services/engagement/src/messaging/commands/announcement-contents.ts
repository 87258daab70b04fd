import { LRUCache } from 'lru-cache';
import { announcementMail } from '../domain/announcement-mail.ts';
import type { MailContent } from '../domain/layout.ts';
import { MailError } from '../domain/render-mail.ts';
import type { Announcements } from '../store/announcements.ts';

interface Needs {
  readonly announcements: Pick<Announcements, 'load'>;
}

/**
 * Returns a function that returns the text of an announcement's mails. The text never changes, so it is read and
 * cleaned once for many mails; the 20 most recently used texts are kept in memory. The function throws where the
 * announcement does not exist.
 */
export function createAnnouncementContents({ announcements }: Needs): (id: string) => Promise<MailContent> {
  const contents = new LRUCache<string, MailContent>({
    max: 20,
    async fetchMethod(id) {
      const found = await announcements.load(id);
      if (found === null) throw new MailError(`there is no announcement ${id}`);
      return announcementMail(found.state);
    },
  });
  return (id) => contents.forceFetch(id);
}
