import type { FieldError } from '@storefront/contracts';
import { Problem } from '@storefront/service-kit/problem';

export interface PasswordRules {
  /** In characters. */
  readonly minLength: number;
  isCommon(password: string): boolean;
}

/** What must not be part of the password. */
export interface PersonalWords {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly businessName?: string;
}

const shortestPersonalWord = 4;

/** Throws a 400 that names everything wrong with a new password; `pointer` is where it stands in the body. */
export function checkPassword(password: string, pointer: string, personal: PersonalWords, rules: PasswordRules): void {
  const errors: FieldError[] = [];
  const refuse = (code: string, message: string) => errors.push({ pointer, in: 'body', code, message });
  if (Array.from(password).length < rules.minLength)
    refuse('password_too_short', `must have at least ${rules.minLength} characters`);
  if (rules.isCommon(password)) refuse('password_too_common', 'is one of the passwords that are guessed first');
  if (holdsPersonalWord(password, personal))
    refuse('password_contains_personal', 'must not contain your email, name or business name');
  if (errors.length > 0) throw new Problem(400, 'validation_failed', 'The password can not be taken.', { errors });
}

function holdsPersonalWord(password: string, { email, firstName, lastName, businessName }: PersonalWords): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  const labels = domain.split('.').slice(0, -1);
  const letters = lettersOf(password);
  return [localPart, ...labels, firstName, lastName, businessName].some((word) => {
    const wanted = lettersOf(word ?? '');
    return wanted.length >= shortestPersonalWord && letters.includes(wanted);
  });
}

// `Ada-Love.Lace` hides nothing that `adalovelace` would show.
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
