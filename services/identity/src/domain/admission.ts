import { identityErrors } from '@storefront/contracts';
import type { User } from './user.ts';

/** Throws unless the user may have tokens. To be called only after the password or the code was right: it shows the status. */
export function assertMayLogIn(user: User): void {
  switch (user.status) {
    case 'pending-approval':
    case 'info-requested':
      throw identityErrors.accountPendingApproval();
    case 'rejected':
      throw identityErrors.accountRejected();
    case 'suspended':
      throw identityErrors.accountSuspended();
    case 'erasing':
      throw identityErrors.invalidCredentials();
    case 'unverified':
    case 'active':
    case 'approved':
      if (user.emailVerifiedAt === null) throw identityErrors.emailNotVerified();
  }
}
