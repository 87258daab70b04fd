import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { exportReadyNotification } from '../domain/event-notifications.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { mailAbout, notifyAbout } from './about-event.ts';

export function onUserExportReady(needs: MessageNeeds) {
  return [
    on(identityEvents.userExportReady, async (event) => {
      const { firstName, exportId } = event.data;
      // As a security message: an attacker in the account must not be able to hide this from its owner.
      await mailAbout(needs, event, 'security', { template: 'user-export-ready', data: { firstName } });
      await notifyAbout(needs, event, exportReadyNotification(event.subject, exportId));
    }),
  ];
}
