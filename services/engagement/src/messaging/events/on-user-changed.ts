import { identityEvents, readingOf } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { MailNeeds } from '../commands/deliveries.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { welcomeNotification } from '../domain/event-notifications.ts';
import { segmentOf } from '../domain/segments.ts';
import type { Recipients } from '../store/recipients.ts';
import { mailAbout, mailRegistrationCode, notifyAbout } from './about-event.ts';

export function onUserRegistered(needs: MailNeeds) {
  return [on(identityEvents.userRegistered, (event) => mailRegistrationCode(needs, event, 'verification-code'))];
}

export function onUserVerified(needs: MessageNeeds & { readonly recipients: Recipients }) {
  return [
    on(identityEvents.userVerified, async (event) => {
      const { email, firstName, role } = event.data;
      // A trade account that was just verified still waits for approval.
      const segment = segmentOf({ role, isApproved: false });
      await needs.recipients.save(
        event.subject,
        { email, firstName, ...readingOf(event.data), role, segment },
        event.sequence,
      );
      // A trade account is welcomed later, by the mail about its approval.
      if (role !== 'retail') return;
      await mailAbout(needs, event, 'account', { template: 'welcome', data: { firstName } });
      await notifyAbout(needs, event, welcomeNotification(needs.writingFor(readingOf(event.data)), event.subject));
    }),
  ];
}

/** Saves how the user is called and wants to be written to. An event that is older than what is stored changes nothing. */
export function onUserChanged({ recipients }: { readonly recipients: Pick<Recipients, 'save'> }) {
  return [
    on(identityEvents.userChanged, ({ subject, sequence, data }) => {
      const { email, firstName } = data;
      return recipients.save(subject, { email, firstName, ...readingOf(data) }, sequence);
    }),
  ];
}

/** Saves the user's email address, name, language, role and segment from a snapshot. Sends nothing. */
export function onUserSnapshot({ recipients }: { readonly recipients: Pick<Recipients, 'save'> }) {
  return [
    on(identityEvents.userSnapshot, ({ subject, sequence, data }) => {
      const { email, firstName, role } = data;
      return recipients.save(
        subject,
        { email, firstName, ...readingOf(data), role, segment: segmentOf(data) },
        sequence,
      );
    }),
  ];
}
