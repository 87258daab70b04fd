import { auditOperations } from './identity/audit.ts';
import { keyOperations } from './identity/keys.ts';
import { loginOperations } from './identity/login.ts';
import { passwordOperations } from './identity/passwords.ts';
import { registrationOperations } from './identity/registration.ts';
import { sessionOperations } from './identity/sessions.ts';
import { tradeAccountOperations } from './identity/trade-accounts.ts';
import { userOperations } from './identity/users.ts';
import { mergeOperations } from './operation.ts';

export * from './identity/audit.ts';
export * from './identity/internal.ts';
export * from './identity/keys.ts';
export * from './identity/login.ts';
export * from './identity/passwords.ts';
export * from './identity/registration.ts';
export * from './identity/sessions.ts';
export * from './identity/trade-accounts.ts';
export * from './identity/user.ts';
export * from './identity/users.ts';

/** What identity answers through the gateway. `identityInternalOperations` are for the gateway itself. */
export const identityOperations = mergeOperations(
  registrationOperations,
  loginOperations,
  sessionOperations,
  passwordOperations,
  userOperations,
  tradeAccountOperations,
  keyOperations,
  auditOperations,
);
