import { servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { auditEntries } from '../audit/store/entries.ts';
import { auditFloods } from '../audit/store/floods.ts';
import { auditKeys } from '../audit/store/person-keys.ts';
import { codeCounts } from '../accounts/store/code-counts.ts';
import { senderBudgets } from '../accounts/store/sender-budgets.ts';
import { controlChanges } from '../factors/store/control-changes.ts';
import { emailChanges } from '../accounts/store/email-changes.ts';
import { challenges } from '../factors/store/challenges.ts';
import { factors } from '../factors/store/factors.ts';
import { mfaTokens } from '../factors/store/mfa-tokens.ts';
import { recoveries } from '../accounts/store/recoveries.ts';
import { registrations } from '../accounts/store/registrations.ts';
import { administratorChanges } from '../administration/store/administrators.ts';
import { dataRequests } from '../user-data/store/data-requests.ts';
import { decoys } from '../accounts/store/decoys.ts';
import { emails } from './emails.ts';
import { exportPages } from '../user-data/store/export-pages.ts';
import { signingKeys } from '../sessions/store/key-rings.ts';
import { knownClients } from '../sessions/store/known-clients.ts';
import { loginAttempts, loginFailures } from '../sessions/store/login-throttle.ts';
import { erasedUserTokens } from '../sessions/store/revocations.ts';
import { sessions } from '../sessions/store/sessions.ts';
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
