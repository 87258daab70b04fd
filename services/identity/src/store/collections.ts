import { dataRequests } from './data-requests.ts';
import { decoys } from './decoys.ts';
import { emails } from './emails.ts';
import { signingKeys } from './key-rings.ts';
import { loginAttempts } from './login-throttle.ts';
import { erasedUserTokens } from './revocations.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/** Every collection of the service. */
export const collections = [
  users,
  emails,
  decoys,
  sessions,
  loginAttempts,
  dataRequests,
  erasedUserTokens,
  signingKeys,
];
