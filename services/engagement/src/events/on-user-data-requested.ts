import { derivedId, identityEvents } from '@storefront/contracts';
import type { UserData } from '../user-data.ts';
import { on } from './reactions.ts';

export function onUserDataRequested(userData: UserData) {
  return [
    on(identityEvents.userErasureRequested, ({ id, subject, data }) =>
      userData.erase({ userId: subject, email: data.email }, id, derivedId('dlv', id, 'account-erased')),
    ),
    on(identityEvents.userExportRequested, ({ id, subject, data }) =>
      userData.handIn({ userId: subject, email: data.email }, id, data.exportId),
    ),
    on(identityEvents.userErased, ({ subject }) => userData.eraseAgain(subject)),
  ];
}
