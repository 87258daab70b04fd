import { derivedId } from '@storefront/contracts';
import { requestMail, type MailNeeds } from './request-mail.ts';
import { lastMailTemplate } from '../domain/delivery.ts';

/** Mails a person that everything about them is being erased; once for each request. */
export async function sendLastMail(needs: MailNeeds, email: string, requestId: string): Promise<void> {
  await requestMail(needs, derivedId('dlv', requestId, lastMailTemplate), {
    to: email,
    userId: null,
    category: 'security',
    mail: { template: lastMailTemplate, data: {} },
  });
}
