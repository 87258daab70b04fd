import { identityEvents } from '@storefront/contracts';
import type { Handler } from '@storefront/messaging';
import type { UserData } from '../store/user-data.ts';
import { read } from './read.ts';

export interface UserDataParts {
  readonly userData: UserData;
}

/** Erases what is kept about a user, or hands it in. */
export function onUserDataRequested({ userData }: UserDataParts): Handler {
  return async (event) => {
    if (event.type === identityEvents.userErasureRequested.type) {
      await userData.erase(event.subject, event.id);
      return 'done';
    }
    if (event.type === identityEvents.userErased.type) {
      await userData.eraseAgain(event.subject);
      return 'done';
    }
    const checked = read(identityEvents.userExportRequested, event);
    if ('outcome' in checked) return checked;
    await userData.handIn(event.subject, event.id, checked.data.exportId);
    return 'done';
  };
}
