import type { MailContent } from '../domain/layout.ts';
import { MailError } from '../domain/render-mail.ts';
import { announcementMail } from '../domain/announcement-mail.ts';
import type { Announcements } from '../store/announcements.ts';

/** How many announcements are remembered, those that were used last. */
const maxKept = 20;

/**
 * Returns the text of an announcement's mails. It never changes, so it is read and cleaned once for many mails. Throws where
 * there is no such announcement.
 */
export function createAnnouncementContents({
  announcements,
}: {
  readonly announcements: Pick<Announcements, 'load'>;
}): (id: string) => Promise<MailContent> {
  const kept = new Map<string, Promise<MailContent>>();

  async function read(id: string): Promise<MailContent> {
    const found = await announcements.load(id);
    if (found === null) throw new MailError(`there is no announcement ${id}`);
    return announcementMail(found.state);
  }

  return (id) => {
    const content = kept.get(id) ?? read(id);
    kept.delete(id);
    kept.set(id, content);
    content.catch(() => kept.delete(id));
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return content;
  };
}
