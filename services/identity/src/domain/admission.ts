import { identityErrors } from '@storefront/contracts';
import type { User } from './user.ts';

/** Whether a session of the user goes on when its tokens are refreshed. */
export function mayKeepSession({ status }: User): boolean {
  return status === 'active' || status === 'approved' || status === 'info-requested';
}

/** Throws unless the user may have tokens. Call it only after the password or code was right, since it reveals the status. */
export function assertMayLogIn(user: User): void {
  switch (user.status) {
    case 'pending-approval':
      throw identityErrors.accountPendingApproval();
    case 'rejected':
      throw identityErrors.accountRejected();
    case 'suspended':
      throw identityErrors.accountSuspended();
    case 'disabled':
      throw identityErrors.accountDisabled();
    case 'erasing':
      throw identityErrors.invalidCredentials();
    case 'active':
    case 'approved':
    // A session that may only complete the application.
    case 'info-requested':
  }
}
