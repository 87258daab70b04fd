import {
  http,
  identityFields,
  invalidFields,
  passwordErrors,
  type PasswordRules,
  type PersonalWords,
  type Refusal,
} from '@storefront/contracts';
import type { User } from './user.ts';

/** Throws a refusal with all errors of a new password, if it has any. */
export function assertPasswordAllowed(
  pointer: string,
  password: string,
  personal: PersonalWords,
  rules: PasswordRules,
): void {
  const errors = passwordErrors(pointer, password, personal, rules);
  if (errors.length > 0) throw invalidFields(errors);
}

/** The words of a user that a new password must not contain. */
export function personalWordsOf(user: User): PersonalWords {
  const { firstName, lastName, trade } = user;
  return { email: http.emailAsTyped(user), firstName, lastName, businessName: trade?.businessName };
}

/** The refusal of a wrong current password. `pointer` is the place of the password in the request body. */
export function wrongCurrentPassword(pointer = '/currentPassword'): Refusal {
  return invalidFields([identityFields.wrongCurrentPassword(pointer)]);
}
