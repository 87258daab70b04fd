import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const identityErrors = defineErrors({
  /** Wrong, used up, expired, or for an email without an account; all get the same answer. */
  invalidCode: { kind: 'invalid', detail: 'The code is not valid. Ask for a new one.' },
  /** A wrong password, or an email without an account; both get the same answer. */
  invalidCredentials: { kind: 'unauthenticated', challenge: 'Bearer', detail: 'Email or password is wrong.' },
  invalidRefreshToken: {
    kind: 'unauthenticated',
    challenge: 'Bearer error="invalid_token"',
    detail: 'The refresh token is no longer valid. Log in again.',
  },
  emailNotVerified: {
    kind: 'forbidden',
    detail: 'Prove the email with the code that was sent to it first.',
  },
  accountPendingApproval: { kind: 'forbidden', detail: 'The trade account is waiting for an administrator.' },
  accountRejected: { kind: 'forbidden', detail: 'The application for a trade account was rejected.' },
  accountSuspended: { kind: 'forbidden', detail: 'The account is suspended.' },
  invalidTransition: {
    kind: 'conflict',
    detail: (action: string, status: string) => `An account that is ${status} does not take the action ${action}.`,
    example: ['approve', 'suspended'],
  },
  /** One sender has had too many codes mailed to one email. Throw it with `retryAfterSeconds`. */
  tooManyCodes: { kind: 'throttled', detail: 'Too many codes were requested from here for this email. Wait.' },
  administratorNotErasable: { kind: 'rule', detail: "An administrator's account is not erased by itself." },
  /** Throw it with `retryAfterSeconds`: the time until the next login is looked at. */
  tooManyAttempts: { kind: 'throttled', detail: 'Too many logins failed. Wait before the next one.' },
});

/** Fields that only identity can judge. `pointer` is where the password stands in the body. */
export const identityFields = {
  /** The caller is logged in, so this is about a field and not about who is calling. */
  wrongCurrentPassword: (pointer = '/currentPassword'): FieldError =>
    bodyField(pointer, 'password_wrong', 'is not the current password'),
  /** `minLength` is in characters. */
  passwordTooShort: (pointer: string, minLength: number): FieldError =>
    bodyField(pointer, 'password_too_short', `must have at least ${minLength} characters`),
  passwordTooCommon: (pointer: string): FieldError =>
    bodyField(pointer, 'password_too_common', 'is one of the passwords that are guessed first'),
  passwordContainsPersonal: (pointer: string): FieldError =>
    bodyField(pointer, 'password_contains_personal', 'must not contain your email, name or business name'),
};
