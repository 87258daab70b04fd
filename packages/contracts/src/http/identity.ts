import { apiTokenOperations } from './identity/api-tokens.ts';
import { staffOperations } from './identity/staff.ts';
import { consoleSessionOperations } from './identity/console-sessions.ts';
import { auditOperations } from './identity/audit.ts';
import { controlChangeOperations } from './identity/control-changes.ts';
import { emailChangeOperations } from './identity/email-change.ts';
import { keyOperations } from './identity/keys.ts';
import { loginOperations } from './identity/login.ts';
import { mfaOperations } from './identity/mfa.ts';
import { passkeyOperations } from './identity/passkeys.ts';
import { passwordOperations } from './identity/passwords.ts';
import { reauthenticationOperations } from './identity/reauthentication.ts';
import { registrationOperations } from './identity/registration.ts';
import { sessionOperations } from './identity/sessions.ts';
import { streamTicketOperations } from './identity/stream-tickets.ts';
import { tradeAccountOperations } from './identity/trade-accounts.ts';
import { userDirectoryOperations } from './identity/user-directory.ts';
import { userOperations } from './identity/users.ts';
import { mergeOperations } from './operation.ts';

export * from './identity/api-tokens.ts';
export * from './identity/staff.ts';
export * from './identity/audit.ts';
export * from './identity/console-sessions.ts';
export * from './identity/control-changes.ts';
export * from './identity/email-change.ts';
export * from './identity/internal.ts';
export * from './identity/keys.ts';
export * from './identity/login.ts';
export * from './identity/mfa.ts';
export * from './identity/passkeys.ts';
export * from './identity/passwords.ts';
export * from './identity/reauthentication.ts';
export * from './identity/registration.ts';
export * from './identity/sessions.ts';
export * from './identity/stream-tickets.ts';
export * from './identity/trade-accounts.ts';
export * from './identity/user.ts';
export * from './identity/user-directory.ts';
export * from './identity/users.ts';

/**
 * The operations of identity that clients reach through the gateway. `identityInternalOperations` are only for the
 * gateway itself.
 */
export const identityOperations = mergeOperations(
  registrationOperations,
  loginOperations,
  sessionOperations,
  consoleSessionOperations,
  streamTicketOperations,
  passwordOperations,
  mfaOperations,
  passkeyOperations,
  reauthenticationOperations,
  emailChangeOperations,
  controlChangeOperations,
  userOperations,
  userDirectoryOperations,
  tradeAccountOperations,
  staffOperations,
  apiTokenOperations,
  keyOperations,
  auditOperations,
);
