import { identityErrors } from '@storefront/contracts';
import type { User } from './user.ts';

/** Whether the user may stay logged in when tokens are refreshed. */
export function mayKeepSession({ status }: User): boolean {
  return status === 'active' || status === 'approved' || status === 'info-requested';
}

/**
 * Throws unless the user may have tokens. Call it only after the password or code was right: the error reveals the
 * status.
 */
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
    // The session of such a user may only complete the application.
    case 'info-requested':
  }
}
