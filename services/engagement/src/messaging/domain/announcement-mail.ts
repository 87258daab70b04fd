import type { MailContent } from './layout.ts';
import { customMail } from './templates/custom-mail.ts';
import type { Announcement } from './announcement.ts';

/** The mail of an announcement: as HTML where there is some, and else its text. */
export function announcementMail({
  title,
  body,
  html,
  subject,
}: Pick<Announcement, 'title' | 'body' | 'html' | 'subject'>): MailContent {
  const line = subject ?? title;
  if (html !== null) return customMail({ subject: line, html, text: null });
  return { subject: line, blocks: [{ kind: 'paragraph', text: body }] };
}
