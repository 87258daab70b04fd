import { identityEvents, type EventContract } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { keepAccount } from '../commands/keep-account.ts';

type DecisionData = (typeof identityEvents.tradeAccountApproved)['data'];

/**
 * Keeps the copy of a trade account. An event that comes twice, or after a newer one, changes nothing: the copy has the sequence of
 * the newest for as long as it is kept.
 */
export function onTradeAccountChanged(needs: Parameters<typeof keepAccount>[0]) {
  const onDecision = <Type extends string>(contract: EventContract<DecisionData, Type>, isOpen: boolean) =>
    on(contract, ({ subject: id, sequence, data: { business } }) =>
      keepAccount(needs, { id, sequence, isOpen, wasApproved: true, business }),
    );
  return [
    onDecision(identityEvents.tradeAccountApproved, true),
    onDecision(identityEvents.tradeAccountReinstated, true),
    onDecision(identityEvents.tradeAccountSuspended, false),
    on(identityEvents.userSnapshot, async ({ subject: id, sequence, data }) => {
      const { role, isApproved, business } = data;
      if (role === 'trade' && isApproved !== undefined)
        await keepAccount(needs, { id, sequence, isOpen: isApproved, wasApproved: isApproved, business });
    }),
  ];
}
