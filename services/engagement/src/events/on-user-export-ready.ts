import { identityEvents } from '@storefront/contracts';
import { dataIsReady } from '../domain/notices.ts';
import type { Outreach } from '../outreach.ts';
import { mailAbout, notifyAbout } from './reach.ts';
import { on } from './reactions.ts';

export function onUserExportReady(outreach: Outreach) {
  return [
    on(identityEvents.userExportReady, async (event) => {
      const { firstName, exportId } = event.data;
      // Whoever broke into an account must not be able to keep this from its owner.
      await mailAbout(outreach, event, 'security', { template: 'user-export-ready', data: { firstName } });
      await notifyAbout(outreach, event, dataIsReady(event.subject, exportId));
    }),
  ];
}
