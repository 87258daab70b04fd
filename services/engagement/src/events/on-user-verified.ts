import { identityEvents } from '@storefront/contracts';
import { welcomed } from '../domain/notices.ts';
import type { Outreach } from '../outreach.ts';
import type { Recipients } from '../store/recipients.ts';
import { mailAbout, notifyAbout } from './reach.ts';
import { on } from './reactions.ts';

export function onUserVerified(outreach: Outreach, recipients: Recipients) {
  return [
    on(identityEvents.userVerified, async (event) => {
      const { email, firstName } = event.data;
      await recipients.remember(event.subject, { email, firstName }, event.sequence);
      // A trade account is welcomed by its approval.
      if (event.data.role !== 'retail') return;
      await mailAbout(outreach, event, 'account', { template: 'welcome', data: { firstName } });
      await notifyAbout(outreach, event, welcomed(event.subject));
    }),
  ];
}
