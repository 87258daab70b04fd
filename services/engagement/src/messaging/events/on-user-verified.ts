import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { welcomeNotification } from '../domain/event-notifications.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { segmentOf } from '../domain/segments.ts';
import type { Recipients } from '../store/recipients.ts';
import { mailAbout, notifyAbout } from './about-event.ts';

export function onUserVerified(needs: MessageNeeds & { readonly recipients: Recipients }) {
  return [
    on(identityEvents.userVerified, async (event) => {
      const { email, firstName, role } = event.data;
      // An application waits for its approval.
      const segment = segmentOf({ role, isApproved: false });
      await needs.recipients.save(event.subject, { email, firstName, role, segment }, event.sequence);
      // A trade account is welcomed when it is approved.
      if (role !== 'retail') return;
      await mailAbout(needs, event, 'account', { template: 'welcome', data: { firstName } });
      await notifyAbout(needs, event, welcomeNotification(event.subject));
    }),
  ];
}
