import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { MailNeeds } from '../../deliveries/commands/request-mail.ts';
import { mailCode } from './about-event.ts';

export function onUserRegistered(needs: MailNeeds) {
  return [on(identityEvents.userRegistered, (event) => mailCode(needs, event, 'verification', 'verification-code'))];
}
