import { identityEvents } from '@storefront/contracts';
import { loginsFailed, passwordWasChanged } from '../domain/notices.ts';
import type { Outreach } from '../outreach.ts';
import { mailAbout, mailCode, notifyAbout } from './reach.ts';
import { on } from './reactions.ts';

export function onAccountSecurity(outreach: Outreach) {
  return [
    on(identityEvents.registrationAttempted, (event) =>
      mailAbout(outreach, event, 'security', {
        template: 'registration-attempted',
        data: { attempted: event.data.attempted },
      }),
    ),
    on(identityEvents.passwordResetRequested, (event) =>
      mailCode(outreach, event, 'password-reset', 'password-reset-code'),
    ),
    on(identityEvents.passwordChanged, async (event) => {
      const { firstName, how } = event.data;
      await mailAbout(outreach, event, 'security', { template: 'password-changed', data: { firstName, how } });
      await notifyAbout(outreach, event, passwordWasChanged(event.subject));
    }),
    on(identityEvents.loginThrottled, async (event) => {
      const { firstName, failures } = event.data;
      await mailAbout(outreach, event, 'security', { template: 'login-throttled', data: { firstName, failures } });
      await notifyAbout(outreach, event, loginsFailed(event.subject, failures));
    }),
  ];
}
