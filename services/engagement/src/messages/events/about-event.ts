import { derivedId } from '@storefront/contracts';
import type { engagementHttp, Event } from '@storefront/contracts';
import { requestMail } from '../../deliveries/commands/request-mail.ts';
import type { MailNeeds, MailRequest } from '../../deliveries/commands/request-mail.ts';
import type { CodeTemplate, TemplatedMail } from '../../mails/domain/render-mail.ts';
import { addNotification } from '../../notifications/commands/add-notification.ts';
import type { NotificationNeeds } from '../../notifications/commands/add-notification.ts';
import type { NewNotification } from '../../notifications/domain/notification.ts';

// Ids are derived from the event: however often it is delivered, there is one mail and one notification.

type EventWithEmail = Event<{ readonly email: string }>;
type EventWithCode = Event<{ readonly email: string; readonly sealedCode: string; readonly codeExpiresAt: string }>;

/** Mails the user that the event is about. */
export async function mailAbout(
  needs: MailNeeds,
  event: EventWithEmail,
  category: engagementHttp.Category,
  mail: TemplatedMail,
  code?: MailRequest['code'],
): Promise<void> {
  const { email } = event.data;
  const id = derivedId('dlv', event.id, `${mail.template} ${email}`);
  await requestMail(needs, id, { to: email, userId: event.subject, category, mail, ...(code && { code }) });
}

/** Mails the code that the event carries. Of the codes for one purpose the newest is sent. */
export function mailCode(
  needs: MailNeeds,
  event: EventWithCode,
  purpose: string,
  template: CodeTemplate,
): Promise<void> {
  const { sealedCode, codeExpiresAt } = event.data;
  const code = { sealed: sealedCode, expiresAt: new Date(codeExpiresAt), purpose, sequence: event.sequence };
  return mailAbout(needs, event, 'security', { template, data: {} }, code);
}

/** Adds a notification about the event. */
export async function notifyAbout(
  needs: NotificationNeeds,
  event: Event,
  notification: NewNotification,
): Promise<void> {
  const id = derivedId('ntf', event.id, `${notification.type} ${notification.audience}`);
  await addNotification(needs, id, notification);
}
