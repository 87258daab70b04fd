import type { MailContent } from './layout.ts';
import { customMail, plainMail } from './templates/custom-mail.ts';
import type { Announcement } from './announcement.ts';

/** Returns the mail of an announcement: its HTML where it has some, otherwise its plain text. */
export function announcementMail({
  title,
  body,
  html,
  subject,
}: Pick<Announcement, 'title' | 'body' | 'html' | 'subject'>): MailContent {
  const line = subject ?? title;
  if (html !== null) return customMail({ subject: line, html, text: null });
  return plainMail(line, body);
}
