import {
  accountPendingApproval,
  accountRejected,
  accountSuspended,
  emailNotVerified,
  invalidCredentials,
} from './errors.ts';
import type { User } from './user.ts';

/** Throws unless the user may hold tokens. Only for somebody who has proved who they are. */
export function assertMayLogIn(user: User): void {
  switch (user.status) {
    case 'pending-approval':
    case 'info-requested':
      throw accountPendingApproval();
    case 'rejected':
      throw accountRejected();
    case 'suspended':
      throw accountSuspended();
    case 'erasing':
      throw invalidCredentials();
    case 'unverified':
    case 'active':
    case 'approved':
      if (user.emailVerifiedAt === null) throw emailNotVerified();
  }
}
