import { z } from 'zod';
import { factorMethods, identityErrors } from '../../errors/identity.ts';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { tokenPairWithUser } from './login.ts';
import { passkeyAnswer, passkeyRequestOptions } from './passkeys.ts';

/** A code of an authenticator app. */
export const totpCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: 'must be 6 digits' })
  .meta({ description: 'The 6 digits of the authenticator app.', examples: ['287082'] });

/** A recovery code as the user typed it. Case, spaces and hyphens do not matter. */
export const recoveryCode = z
  .string()
  .max(40)
  .transform((value) => value.toLowerCase().replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[0-9a-z]{12}$/, { error: 'must be a recovery code' }))
  .meta({
    description: 'One of the recovery codes; each works once.',
    pattern: String.raw`^[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}$`,
    examples: ['7k2m-9xqa-4tzb'],
  });

const mfaToken = z
  .string()
  .max(100)
  .regex(/^mfa_[\w-]+$/, { error: 'must be an mfaToken' })
  .meta({ description: 'From the answer `mfa_required` of a login.', examples: ['mfa_q2Yw8Zt1nB5kV0xJr7sPdA'] });

const oneProof = 'must hold exactly one of code, recoveryCode and passkey';

export const mfaVerification = z
  .strictObject({
    mfaToken,
    code: totpCode.optional(),
    recoveryCode: recoveryCode.optional(),
    passkey: passkeyAnswer.optional(),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 2, { error: oneProof })
  .meta({
    id: 'MfaVerification',
    minProperties: 2,
    maxProperties: 2,
    examples: [{ mfaToken: 'mfa_q2Yw8Zt1nB5kV0xJr7sPdA', code: '287082' }],
  });

export const mfaTokenOnly = z
  .strictObject({ mfaToken })
  .meta({ id: 'MfaTokenOnly', examples: [{ mfaToken: 'mfa_q2Yw8Zt1nB5kV0xJr7sPdA' }] });

export const totpConfirmation = z
  .strictObject({ code: totpCode })
  .meta({ id: 'TotpConfirmation', examples: [{ code: '287082' }] });

export const mfaState = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether a login asks for a second factor.' }),
    required: z.boolean().meta({ description: 'Whether the account has to have a second factor.' }),
    methods: z.array(z.enum(factorMethods)).meta({ description: 'What can complete a login.' }),
    totp: z
      .object({ confirmedAt: timestamp })
      .nullable()
      .meta({ description: 'The authenticator app; null where there is none.' }),
    passkeys: z.int().meta({ description: 'How many there are.' }),
    recoveryCodesLeft: z.int().meta({ description: 'How many are not used yet.' }),
  })
  .meta({ id: 'MfaState' });

export const totpSetup = z
  .object({
    secret: z.string().meta({ description: 'To be typed into an authenticator app, in base 32.' }),
    otpauthUrl: z.string().meta({ description: 'The same as a URL, to be shown as a QR code.' }),
    expiresAt: timestamp.meta({ description: 'Until then it can be confirmed.' }),
  })
  .meta({ id: 'TotpSetup' });

/** New recovery codes. They are shown only once. */
export const shownRecoveryCodes = z.array(z.string().meta({ examples: ['7k2m-9xqa-4tzb'] }));

export const totpConfirmed = z
  .object({
    confirmedAt: timestamp,
    recoveryCodes: shownRecoveryCodes
      .nullable()
      .meta({ description: 'Shown this once, with the first factor; null with a further one.' }),
  })
  .meta({ id: 'TotpConfirmed' });

export const newRecoveryCodes = z
  .object({ recoveryCodes: shownRecoveryCodes.meta({ description: 'Shown this once.' }) })
  .meta({ id: 'RecoveryCodes' });

const tags = ['second factor'];

export const mfaOperations = operationsOf(
  operation({
    id: 'getMfa',
    method: 'GET',
    path: '/v1/auth/mfa',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'Read which second factors the caller has',
    description: 'An authenticator app, passkeys, and how many recovery codes are left.',
    responses: { 200: mfaState },
  }),
  operation({
    id: 'beginTotp',
    method: 'POST',
    path: '/v1/auth/mfa/totp',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'Begin to set up an authenticator app',
    description: 'Answers a new secret. Nothing changes before a code proves that the app has it. Needs a fresh proof.',
    responses: { 200: totpSetup },
    errors: [identityErrors.reauthenticationRequired],
  }),
  operation({
    id: 'confirmTotp',
    method: 'POST',
    path: '/v1/auth/mfa/totp/confirm',
    access: 'user',
    alsoFor: ['enrolling'],
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Confirm an authenticator app by its first code',
    description:
      'From now on logins ask for a second factor. The app replaces one that was set up before. The first factor of ' +
      'an account brings ten recovery codes.',
    body: totpConfirmation,
    responses: { 200: totpConfirmed },
    errors: [
      identityErrors.invalidFactor,
      identityErrors.reauthenticationRequired,
      identityErrors.tooManyControlChanges,
    ],
  }),
  operation({
    id: 'removeTotp',
    method: 'DELETE',
    path: '/v1/auth/mfa/totp',
    access: 'user',
    budget: 'auth',
    tags,
    summary: 'Remove the authenticator app',
    description: 'With the last factor the recovery codes go too. Needs a fresh proof.',
    responses: { 204: null },
    errors: [identityErrors.reauthenticationRequired, identityErrors.lastFactorRequired],
  }),
  operation({
    id: 'makeRecoveryCodes',
    method: 'POST',
    path: '/v1/auth/mfa/recovery-codes',
    access: 'user',
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Make ten new recovery codes',
    description: 'The older ones are dead from this answer on. Needs a fresh proof.',
    responses: { 200: newRecoveryCodes },
    errors: [
      identityErrors.reauthenticationRequired,
      identityErrors.secondFactorMissing,
      identityErrors.tooManyControlChanges,
    ],
  }),
  operation({
    id: 'verifyMfa',
    method: 'POST',
    path: '/v1/auth/mfa/verify',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Complete a login by a second factor',
    description:
      'With the `mfaToken` of a login and one of: a code of the authenticator app, a recovery code, or the answer of ' +
      'a passkey. A token takes 5 tries, and an account 10 wrong codes within 15 minutes.',
    body: mfaVerification,
    responses: { 200: tokenPairWithUser },
    errors: [
      identityErrors.invalidFactor,
      identityErrors.invalidMfaToken,
      identityErrors.invalidCredentials,
      identityErrors.emailNotVerified,
      identityErrors.accountPendingApproval,
      identityErrors.accountRejected,
      identityErrors.accountSuspended,
      identityErrors.accountDisabled,
      identityErrors.tooManyAttempts,
    ],
  }),
  operation({
    id: 'getMfaPasskeyOptions',
    method: 'POST',
    path: '/v1/auth/mfa/passkey-options',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Request what a passkey needs to complete a login',
    description: 'The options for `navigator.credentials.get`, valid for 5 minutes and for one use.',
    body: mfaTokenOnly,
    responses: { 200: passkeyRequestOptions },
    errors: [identityErrors.invalidMfaToken],
  }),
);
