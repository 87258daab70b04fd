import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { MailNeeds } from '../commands/request-mail.ts';
import { mailRegistrationCode } from './about-event.ts';

export function onUserRegistered(needs: MailNeeds) {
  return [on(identityEvents.userRegistered, (event) => mailRegistrationCode(needs, event, 'verification-code'))];
}
