import { derivedId, readingOf, type engagementHttp, type Event, type Reading } from '@storefront/contracts';
import { requestMail, type MailNeeds, type MailRequest } from '../commands/deliveries.ts';
import { verificationOf } from '../domain/delivery.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import { registeredAs } from '../domain/templates/codes.ts';
import { addNotification, type NotificationNeeds } from '../commands/notifications.ts';
import type { NewNotification } from '../domain/notification.ts';

// The ids of mails and notifications are derived from the event. So an event that is delivered several times causes
// only one mail and one notification.

type EventWithEmail = Event<Reading & { readonly email: string }>;
type EventWithCode = Event<
  Reading & { readonly email: string; readonly sealedCode: string; readonly codeExpiresAt: string }
>;
type EventOfRegistration = EventWithCode &
  Event<{ readonly firstName: string; readonly lastName: string; readonly registeredAt: string }>;

/** Sends a mail to the user whom the event is about. */
export async function mailAbout(
  needs: MailNeeds,
  event: EventWithEmail,
  category: engagementHttp.Category,
  mail: TemplatedMail,
): Promise<void> {
  const { email } = event.data;
  const id = derivedId('dlv', event.id, `${mail.template} ${email}`);
  await requestMail(needs, id, { to: email, userId: event.subject, reading: readingOf(event.data), category, mail });
}

// A day after its code has expired, a registration has certainly ended.
const codeForgottenMs = 24 * 60 * 60 * 1000;

/**
 * Mails the code of a registration. Of several codes for one registration, only the newest is sent. A code that expired
 * more than a day ago is not mailed, because the address may belong to an erased user.
 */
export async function mailRegistrationCode(
  needs: MailNeeds,
  event: EventOfRegistration,
  template: 'verification-code' | 'trade-application-received',
): Promise<void> {
  const { email, firstName, lastName, registeredAt, sealedCode, codeExpiresAt } = event.data;
  const expiresAt = new Date(codeExpiresAt);
  if (needs.databaseNow().getTime() - expiresAt.getTime() > codeForgottenMs) return;
  const data = { registeredAs: registeredAs(firstName, lastName), registeredAt };
  const purpose = verificationOf(event.subject);
  const code = { sealed: sealedCode, expiresAt, purpose, sequence: event.sequence };
  await mailCode(needs, event, { to: email, userId: null, mail: { template, data }, code });
}

/**
 * Mails the code and the link with which a user sets a new password. Each request has its own code, which replaces no
 * other.
 */
export function mailRecoveryCode(
  needs: MailNeeds,
  event: EventWithCode & Event<{ readonly linkExpiresAt: string }>,
): Promise<void> {
  const { email, sealedCode, codeExpiresAt, linkExpiresAt } = event.data;
  const mail = { template: 'password-reset-code', data: { digitsExpireAt: codeExpiresAt } } as const;
  const purpose = `password-reset ${event.id}`;
  const code = { sealed: sealedCode, expiresAt: new Date(linkExpiresAt), purpose, sequence: event.sequence };
  return mailCode(needs, event, { to: email, userId: event.subject, mail, code });
}

/** Mails the code that confirms a new email address. Of several codes for one user, only the newest is sent. */
export function mailEmailCode(needs: MailNeeds, event: EventWithCode): Promise<void> {
  const { email, sealedCode, codeExpiresAt } = event.data;
  const mail = { template: 'email-change-code', data: {} } as const;
  const expiresAt = new Date(codeExpiresAt);
  const code = { sealed: sealedCode, expiresAt, purpose: 'email-change', sequence: event.sequence };
  return mailCode(needs, event, { to: email, userId: event.subject, mail, code });
}

type EventWithWayBack = Event<
  Reading & { readonly sealedCode?: string | undefined; readonly linkExpiresAt?: string | undefined }
>;

/**
 * Mails a notice about a change of the account, with a link that undoes the change. Returns false where the event has
 * no link; then nothing is mailed.
 */
export async function mailWayBack(
  needs: MailNeeds,
  event: EventWithWayBack,
  to: string,
  mail: Extract<TemplatedMail, { template: `${string}-notice` }>,
): Promise<boolean> {
  const { sealedCode: sealed, linkExpiresAt } = event.data;
  if (sealed === undefined || linkExpiresAt === undefined) return false;
  // Each change has its own link to undo it, so a newer mail must not replace an older one.
  const purpose = `way-back ${event.id}`;
  const code = { sealed, expiresAt: new Date(linkExpiresAt), purpose, sequence: event.sequence };
  await mailCode(needs, event, { to, userId: event.subject, mail, code });
  return true;
}

async function mailCode(
  needs: MailNeeds,
  { id, data }: Event<Reading>,
  request: Omit<MailRequest, 'category' | 'reading'>,
): Promise<void> {
  const delivery = derivedId('dlv', id, `${request.mail.template} ${request.to}`);
  await requestMail(needs, delivery, { ...request, category: 'security', reading: readingOf(data) });
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
