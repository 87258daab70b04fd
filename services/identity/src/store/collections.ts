import { servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { auditEntries } from '../audit/store/entries.ts';
import { auditFloods } from '../audit/store/floods.ts';
import { auditKeys } from '../audit/store/person-keys.ts';
import { codeCounts } from '../codes/store/code-counts.ts';
import { senderBudgets } from '../codes/store/sender-budgets.ts';
import { controlChanges } from '../control-changes/store/control-changes.ts';
import { emailChanges } from '../email-change/store/email-changes.ts';
import { challenges } from '../factors/store/challenges.ts';
import { factors } from '../factors/store/factors.ts';
import { mfaTokens } from '../factors/store/mfa-tokens.ts';
import { recoveries } from '../recoveries/store/recoveries.ts';
import { registrations } from '../registrations/store/registrations.ts';
import { administratorChanges } from './administrators.ts';
import { dataRequests } from './data-requests.ts';
import { decoys } from './decoys.ts';
import { emails } from './emails.ts';
import { exportPages } from './export-pages.ts';
import { signingKeys } from './key-rings.ts';
import { knownClients } from './known-clients.ts';
import { loginAttempts, loginFailures } from './login-throttle.ts';
import { erasedUserTokens } from './revocations.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/** Every collection of the service. */
export const collections: readonly CollectionDefinition[] = [
  users,
  administratorChanges,
  emails,
  registrations,
  recoveries,
  codeCounts,
  senderBudgets,
  decoys,
  sessions,
  loginAttempts,
  loginFailures,
  knownClients,
  factors,
  emailChanges,
  controlChanges,
  mfaTokens,
  challenges,
  dataRequests,
  exportPages,
  erasedUserTokens,
  signingKeys,
  auditEntries,
  auditFloods,
  auditKeys,
  ...servedCollections,
];
