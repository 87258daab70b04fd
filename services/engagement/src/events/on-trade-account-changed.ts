import { identityEvents } from '@storefront/contracts';
import { tradeAccountDecided, tradeAccountWaits } from '../domain/notices.ts';
import type { TradeOutcome } from '../domain/notices.ts';
import type { Outreach } from '../outreach.ts';
import { mailAbout, mailCode, notifyAbout } from './reach.ts';
import { on } from './reactions.ts';

export function onTradeAccountChanged(outreach: Outreach) {
  const decided = (contract: typeof identityEvents.tradeAccountApproved, outcome: TradeOutcome) =>
    on(contract, async (event) => {
      const { firstName, businessName, reason } = event.data;
      await mailAbout(outreach, event, 'account', {
        template: `trade-account-${outcome}`,
        data: { firstName, businessName, reason },
      });
      await notifyAbout(outreach, event, tradeAccountDecided(event.subject, outcome, reason));
    });

  return [
    on(identityEvents.tradeAccountRegistered, async (event) => {
      const { codeOnly, businessName } = event.data;
      await mailCode(outreach, event, 'verification', codeOnly ? 'verification-code' : 'trade-application-received');
      if (!codeOnly) await notifyAbout(outreach, event, tradeAccountWaits(event.subject, businessName));
    }),
    decided(identityEvents.tradeAccountApproved, 'approved'),
    decided(identityEvents.tradeAccountRejected, 'rejected'),
    decided(identityEvents.tradeAccountInfoRequested, 'info-requested'),
    decided(identityEvents.tradeAccountSuspended, 'suspended'),
    decided(identityEvents.tradeAccountReinstated, 'reinstated'),
  ];
}
