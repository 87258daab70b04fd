import { identityFields } from './errors/identity.ts';
import type { FieldError } from './problem.ts';

export interface PasswordRules {
  /** In characters. */
  readonly minLength: number;
  isCommon(password: string): boolean;
}

/** Words that must not be part of the password. */
export interface PersonalWords {
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly businessName?: string | undefined;
}

const shortestPersonalWord = 4;

/** All errors of a new password. `pointer` is the place of the password in the request body. */
export function passwordErrors(
  pointer: string,
  password: string,
  personal: PersonalWords,
  rules: PasswordRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (Array.from(password).length < rules.minLength)
    errors.push(identityFields.passwordTooShort(pointer, rules.minLength));
  if (rules.isCommon(password)) errors.push(identityFields.passwordTooCommon(pointer));
  if (containsPersonalWord(password, personal)) errors.push(identityFields.passwordContainsPersonal(pointer));
  return errors;
}

function containsPersonalWord(password: string, personal: PersonalWords): boolean {
  const [localPart, domain = ''] = personal.email?.split('@') ?? [];
  const labels = domain.split('.').slice(0, -1);
  const letters = lettersOf(password);
  return [localPart, ...labels, personal.firstName, personal.lastName, personal.businessName].some((text) => {
    const word = lettersOf(text ?? '');
    return word.length >= shortestPersonalWord && letters.includes(word);
  });
}

// Keeps only letters and digits, in lower case: `Ada-Love.Lace` becomes `adalovelace`.
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
