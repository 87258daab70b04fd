import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { mailAbout } from './about-event.ts';

/** The mail has an id of its event, so a second delivery of the event sends none. */
export function onAdministratorChanged(needs: MessageNeeds) {
  return [
    on(identityEvents.administratorChanged, (event) => {
      const { firstName, change, reason } = event.data;
      return mailAbout(needs, event, 'security', {
        template: 'administrator-changed',
        data: { firstName, change, reason },
      });
    }),
  ];
}
