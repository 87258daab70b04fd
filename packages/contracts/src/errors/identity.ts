import { z } from 'zod';
import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

/** The second factors: other proofs of identity than the password. */
export const factorMethods = ['totp', 'passkey', 'recovery-code'] as const;

const mfaMembers = z.object({
  mfaToken: z.string().meta({ description: 'Completes the login at `POST /v1/auth/mfa/verify`, once.' }),
  expiresAt: z.iso.datetime().meta({ description: 'When `mfaToken` expires.' }),
  methods: z.array(z.enum(factorMethods)).meta({ description: 'What can complete the login.' }),
});

const proofMembers = z.object({
  methods: z
    .array(z.enum(['password', ...factorMethods]))
    .meta({ description: 'What `POST /v1/auth/reauthenticate` takes of this caller.' }),
});

export const identityErrors = defineErrors({
  /** Thrown if the code is wrong, used up or expired, or if the email has no account. All cases get the same answer. */
  invalidCode: { kind: 'invalid', detail: 'The code is not valid. Check it, or ask for a new one.' },
  /** Thrown if the password is wrong or the email has no account. Both cases get the same answer. */
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
  accountPendingApproval: { kind: 'forbidden', detail: 'The trade account is not approved yet.' },
  accountRejected: { kind: 'forbidden', detail: 'The application for a trade account was rejected.' },
  accountDisabled: { kind: 'forbidden', detail: 'An administrator has disabled this account.' },
  accountSuspended: { kind: 'forbidden', detail: 'The account is suspended.' },
  invalidTransition: {
    kind: 'conflict',
    detail: (action: string, status: string) => `An account that is ${status} does not take the action ${action}.`,
    example: ['approve', 'suspended'],
  },
  countryRequired: {
    kind: 'rule',
    detail: 'The country of the business is not known: name it with the approval.',
  },
  /** Thrown if one sender has requested too many codes for one email. Throw it with `retryAfterSeconds`. */
  tooManyCodes: { kind: 'throttled', detail: 'Too many codes were requested from here for this email. Wait.' },
  staffNotErasable: {
    kind: 'rule',
    detail:
      'The account of somebody who works for the shop is not erased by itself: an administrator takes the role away first.',
  },
  tradeAccountNotStaff: {
    kind: 'rule',
    detail: 'A trade account gets no role of staff: the person registers with another email.',
  },
  /** Throw it with `members`. */
  mfaRequired: {
    kind: 'unauthenticated',
    challenge: 'Bearer',
    detail: 'This account has a second factor: complete the login by POST /v1/auth/mfa/verify.',
    members: mfaMembers,
    exampleMembers: {
      mfaToken: 'mfa_q2Yw8Zt1nB5kV0xJr7sPdA',
      expiresAt: '2026-11-21T09:35:00.000Z',
      methods: ['totp', 'recovery-code'],
    },
  },
  /** Thrown if the token is used, expired, tried too often, or from another device. All cases get the same answer. */
  invalidMfaToken: {
    kind: 'unauthenticated',
    challenge: 'Bearer',
    detail: "This login can't be completed any more: log in again.",
  },
  /** Thrown if the code is wrong or the answer of the passkey is not valid. */
  invalidFactor: { kind: 'invalid', detail: 'The code, or the answer of the passkey, is not valid.' },
  /** Thrown if a login with only a passkey fails. */
  invalidPasskey: {
    kind: 'unauthenticated',
    challenge: 'Bearer',
    detail: 'The passkey is not known here, or its answer is not valid.',
  },
  /** Throw it with `members`. */
  reauthenticationRequired: {
    kind: 'forbidden',
    detail: 'Prove once more that it is you by POST /v1/auth/reauthenticate, then repeat this within 5 minutes.',
    members: proofMembers,
    exampleMembers: { methods: ['password'] },
  },
  secondFactorMissing: { kind: 'rule', detail: 'There is no second factor: set one up first.' },
  lastFactorRequired: {
    kind: 'rule',
    detail: "Staff need a second factor here: the last one can't be removed. Add another one first.",
  },
  lastAdministrator: {
    kind: 'rule',
    detail: 'This is the only administrator who is enabled: create or enable another one first.',
  },
  tooManyApiTokens: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} API tokens already: revoke one first.`,
    example: [100],
  },
  tooManyPasskeys: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} passkeys already: delete one first.`,
    example: [20],
  },
  passkeyKnown: { kind: 'conflict', detail: 'This passkey is registered already.' },
  /** Throw it with `retryAfterSeconds`. */
  tooManyEmailChanges: { kind: 'throttled', detail: 'Too many changes of the email. Wait before the next one.' },
  /** Thrown if too many earlier changes can still be undone. Throw it with `retryAfterSeconds`. */
  tooManyControlChanges: {
    kind: 'throttled',
    detail: 'Email, password and second factors were changed too often within 7 days. Wait before the next change.',
  },
  /** Thrown if the link is wrong, used or expired. All cases get the same answer. */
  invalidRevertToken: { kind: 'invalid', detail: 'This link is not valid any more.' },
  /** Throw it with `retryAfterSeconds`: the time until the next login is allowed. */
  tooManyAttempts: { kind: 'throttled', detail: 'Too many logins failed. Wait before the next one.' },
});

/** Field errors that only the identity service can detect. `pointer` is the place of the password in the body. */
export const identityFields = {
  /** An error of the field, not of the login: the caller is already logged in. */
  wrongCurrentPassword: (pointer = '/currentPassword'): FieldError =>
    bodyField(pointer, 'password_wrong', 'is not the current password'),
  /** For a user with a second factor, the password alone is not enough proof. */
  secondFactorNeeded: (): FieldError =>
    bodyField('/password', 'second_factor_needed', 'is not enough: send a code, a recovery code or a passkey'),
  emailUnchanged: (): FieldError => bodyField('/email', 'email_unchanged', 'is the email of the account already'),
  /** `minLength` is in characters. */
  passwordTooShort: (pointer: string, minLength: number): FieldError =>
    bodyField(pointer, 'password_too_short', `must have at least ${minLength} characters`),
  passwordTooCommon: (pointer: string): FieldError =>
    bodyField(pointer, 'password_too_common', 'is one of the passwords that are guessed first'),
  passwordContainsPersonal: (pointer: string): FieldError =>
    bodyField(pointer, 'password_contains_personal', 'must not contain your email, name or business name'),
};
