import { userDataEvents } from '@storefront/contracts';
import type { Subscription } from '@storefront/messaging';
import type { Identity } from '../domain/ports.ts';
import { onUserDataAnswered } from './on-user-data-answered.ts';

/** All that the service listens to. */
export function subscriptions(identity: Identity): Subscription[] {
  return [
    {
      queue: 'identity.on-user-data-answered',
      types: Object.values(userDataEvents).flatMap(({ erased, exported }) => [erased.type, exported.type]),
      handle: onUserDataAnswered(identity),
    },
  ];
}
