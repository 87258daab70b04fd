import { identityEvents, readingOf, type EventContract } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { tradeAccountWaitingNotification, tradeDecisionNotification } from '../domain/event-notifications.ts';
import type { TradeOutcome } from '../domain/templates/account.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { segmentOf } from '../domain/segments.ts';
import type { Recipients } from '../store/recipients.ts';
import { mailAbout, mailRegistrationCode, notifyAbout } from './about-event.ts';

type DecisionData = (typeof identityEvents.tradeAccountApproved)['data'];

const role = 'trade';

export function onTradeAccountChanged(needs: MessageNeeds & { readonly recipients: Pick<Recipients, 'save'> }) {
  const onDecision = <Type extends string>(contract: EventContract<DecisionData, Type>, outcome: TradeOutcome) =>
    on(contract, async (event) => {
      const { email, firstName, businessName, reason } = event.data;
      const isApproved = outcome === 'approved' || outcome === 'reinstated';
      const segment = segmentOf({ role, isApproved });
      const reading = readingOf(event.data);
      await needs.recipients.save(event.subject, { email, firstName, ...reading, role, segment }, event.sequence);
      await mailAbout(needs, event, 'account', {
        template: `trade-account-${outcome}`,
        data: { firstName, businessName, reason },
      });
      const decision = { businessName, reason };
      const shown = tradeDecisionNotification(needs.writingFor(reading), event.subject, outcome, decision);
      await notifyAbout(needs, event, shown);
    });

  return [
    on(identityEvents.tradeAccountRegistered, (event) =>
      mailRegistrationCode(needs, event, event.data.codeOnly ? 'verification-code' : 'trade-application-received'),
    ),
    on(identityEvents.tradeAccountSubmitted, async (event) => {
      const { email, firstName, businessName } = event.data;
      // This event may come before the event about the verified user, so the recipient is saved here too.
      const contact = { email, firstName, ...readingOf(event.data), role } as const;
      await needs.recipients.save(event.subject, contact, event.sequence);
      await mailAbout(needs, event, 'account', {
        template: 'trade-account-submitted',
        data: { firstName, businessName },
      });
      await notifyAbout(
        needs,
        event,
        tradeAccountWaitingNotification(needs.writingFor({}), event.subject, businessName),
      );
    }),
    onDecision(identityEvents.tradeAccountApproved, 'approved'),
    onDecision(identityEvents.tradeAccountRejected, 'rejected'),
    onDecision(identityEvents.tradeAccountInfoRequested, 'info-requested'),
    onDecision(identityEvents.tradeAccountSuspended, 'suspended'),
    onDecision(identityEvents.tradeAccountReinstated, 'reinstated'),
  ];
}
