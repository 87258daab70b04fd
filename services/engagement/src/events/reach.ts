import { derivedId } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import type { Mail } from '../domain/mails/mails.ts';
import type { Notice } from '../domain/notification.ts';
import type { OutgoingMail, Outreach } from '../outreach.ts';

type Addressed = Event<{ readonly email: string }>;
type WithCode = Event<{ readonly email: string; readonly sealedCode: string; readonly codeExpiresAt: string }>;

// Everything is named after its event: however often the event comes, it is one mail and one notification.

/** Mails the person that the event is about. */
export function mailAbout(
  outreach: Outreach,
  event: Addressed,
  category: OutgoingMail['category'],
  mail: Mail,
  code?: OutgoingMail['code'],
) {
  const { email } = event.data;
  const id = derivedId('dlv', event.id, `${mail.template} ${email}`);
  return outreach.mail(id, { to: email, userId: event.subject, category, mail, ...(code && { code }) });
}

/** Mails the code that the event carries. */
export function mailCode(outreach: Outreach, event: WithCode, purpose: string, template: CodeTemplate) {
  return mailAbout(
    outreach,
    event,
    'security',
    { template, data: {} },
    {
      sealed: event.data.sealedCode,
      expiresAt: new Date(event.data.codeExpiresAt),
      purpose,
      sequence: event.sequence,
    },
  );
}

type CodeTemplate = Extract<Mail, { data: Record<string, never> }>['template'];

/** Puts a notification into the list of whom the notice is for. */
export function notifyAbout(outreach: Outreach, event: Event, notice: Notice) {
  return outreach.notify(derivedId('ntf', event.id, `${notice.type} ${notice.audience}`), notice);
}
