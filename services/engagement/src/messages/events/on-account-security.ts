import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import {
  loginThrottledNotification,
  passwordChangedNotification,
} from '../../notifications/domain/event-notifications.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { mailAbout, mailRecoveryCode, notifyAbout } from './about-event.ts';

export function onAccountSecurity(needs: MessageNeeds) {
  return [
    on(identityEvents.registrationAttempted, (event) =>
      mailAbout(needs, event, 'security', {
        template: 'registration-attempted',
        data: { attempted: event.data.attempted },
      }),
    ),
    on(identityEvents.passwordResetRequested, (event) => mailRecoveryCode(needs, event)),
    on(identityEvents.passwordChanged, async (event) => {
      const { firstName, how } = event.data;
      await mailAbout(needs, event, 'security', { template: 'password-changed', data: { firstName, how } });
      await notifyAbout(needs, event, passwordChangedNotification(event.subject));
    }),
    on(identityEvents.loginThrottled, async (event) => {
      const { firstName, failures } = event.data;
      await mailAbout(needs, event, 'security', { template: 'login-throttled', data: { firstName, failures } });
      await notifyAbout(needs, event, loginThrottledNotification(event.subject, failures));
    }),
  ];
}
