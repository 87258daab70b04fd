import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { created, line, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { tokenPairWithUser } from './login.ts';

// The schemas below read what a browser's `PublicKeyCredential.toJSON()` returns (WebAuthn Level 3). The objects are
// not strict: later browser versions may add fields, which are ignored.

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, { error: 'must be base64url' });

const credential = {
  id: base64url(1400).meta({ examples: ['pLq0vXn3Zt1cB8wYk2sRfQ'] }),
  rawId: base64url(1400).meta({ examples: ['pLq0vXn3Zt1cB8wYk2sRfQ'] }),
  type: z.literal('public-key'),
};
const clientDataJSON = base64url(4000).meta({ examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'] });

/** The answer of a passkey to `navigator.credentials.get`. */
export const passkeyAnswer = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(4000).meta({ examples: ['SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'] }),
      signature: base64url(8000).meta({ examples: ['MEUCIQDx3nY'] }),
      userHandle: base64url(100)
        .nullish()
        .meta({ examples: ['dXNlcl8wMWg'] }),
    }),
  })
  .meta({ id: 'PasskeyAnswer', description: 'What `navigator.credentials.get` gives, by its `toJSON()`.' });

/** The answer of a new passkey to `navigator.credentials.create`. */
export const passkeyCreation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(16_000).meta({ examples: ['o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg'] }),
      transports: z
        .array(z.string().max(40))
        .max(10)
        .optional()
        .meta({ examples: [['internal', 'hybrid']] }),
    }),
  })
  .meta({ id: 'PasskeyCreation', description: 'What `navigator.credentials.create` gives, by its `toJSON()`.' });

const passkeyName = line(60).meta({ description: 'To distinguish passkeys.', examples: ['Work laptop'] });

const exampleCredential = {
  id: 'pLq0vXn3Zt1cB8wYk2sRfQ',
  rawId: 'pLq0vXn3Zt1cB8wYk2sRfQ',
  type: 'public-key',
} as const;

export const exampleAnswer = {
  ...exampleCredential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDx3nY',
  },
};

export const newPasskey = z.strictObject({ name: passkeyName, response: passkeyCreation }).meta({
  id: 'NewPasskey',
  examples: [
    {
      name: 'Work laptop',
      response: {
        ...exampleCredential,
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
          attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
        },
      },
    },
  ],
});

export const passkeyChange = z
  .strictObject({ name: passkeyName })
  .meta({ id: 'PasskeyChange', examples: [{ name: 'Old laptop' }] });

export const passkeyLogin = z
  .strictObject({ response: passkeyAnswer })
  .meta({ id: 'PasskeyLogin', examples: [{ response: exampleAnswer }] });

export const passkey = z
  .object({
    id: idSchema('pkey'),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'When it last proved who is calling.' }),
    backedUp: z.boolean().meta({ description: 'Whether its maker keeps a copy of it, for other devices.' }),
  })
  .meta({ id: 'Passkey' });

export const addedPasskey = z
  .object({
    ...passkey.shape,
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Ten, shown this once, with the first factor; null with a further one.' }),
  })
  .meta({ id: 'AddedPasskey' });

export const passkeyList = z.object({ data: z.array(passkey) }).meta({ id: 'PasskeyList' });

const options = z.looseObject({ challenge: z.string() });

export const passkeyCreationOptions = options.meta({
  id: 'PasskeyCreationOptions',
  description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` (WebAuthn Level 3).',
});

export const passkeyRequestOptions = options.meta({
  id: 'PasskeyRequestOptions',
  description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON` (WebAuthn Level 3).',
});

export const passkeyParams = z.object({ id: idSchema('pkey') });

const tags = ['second factor'];

export const passkeyOperations = operationsOf(
  operation({
    id: 'getPasskeyOptions',
    method: 'POST',
    path: '/v1/auth/passkeys/options',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'Request what a browser needs to make a passkey',
    description:
      'The options for `navigator.credentials.create`, valid for 5 minutes, for one use and for this session. Needs a ' +
      'fresh proof.',
    responses: { 200: passkeyCreationOptions },
    errors: [identityErrors.reauthenticationRequired, identityErrors.tooManyPasskeys],
  }),
  operation({
    id: 'addPasskey',
    method: 'POST',
    path: '/v1/auth/passkeys',
    access: 'user',
    alsoFor: ['enrolling'],
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Add a passkey',
    description:
      'From now on logins by password ask for a second factor, and the passkey alone can log in. The first factor of an ' +
      'account brings ten recovery codes.',
    body: newPasskey,
    responses: { 201: created(addedPasskey) },
    errors: [
      identityErrors.invalidFactor,
      identityErrors.tooManyPasskeys,
      identityErrors.passkeyKnown,
      identityErrors.reauthenticationRequired,
      identityErrors.tooManyControlChanges,
    ],
  }),
  operation({
    id: 'listPasskeys',
    method: 'GET',
    path: '/v1/auth/passkeys',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'List the passkeys of the caller',
    description: 'All of them, 20 at most, so there are no pages; the oldest first.',
    query: z.strictObject({}),
    responses: { 200: passkeyList },
  }),
  operation({
    id: 'renamePasskey',
    method: 'PATCH',
    path: '/v1/auth/passkeys/{id}',
    access: 'user',
    budget: 'auth',
    tags,
    summary: 'Rename a passkey',
    description: 'The name is for the owner alone.',
    params: passkeyParams,
    body: passkeyChange,
    responses: { 200: passkey },
  }),
  operation({
    id: 'removePasskey',
    method: 'DELETE',
    path: '/v1/auth/passkeys/{id}',
    access: 'user',
    budget: 'auth',
    tags,
    summary: 'Delete a passkey',
    description: 'With the last factor the recovery codes go too. Needs a fresh proof.',
    params: passkeyParams,
    responses: { 204: null },
    errors: [identityErrors.reauthenticationRequired, identityErrors.lastFactorRequired],
  }),
  operation({
    id: 'getPasskeyLoginOptions',
    method: 'POST',
    path: '/v1/auth/passkeys/login/options',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Request what a passkey needs to log in without a password',
    description: 'The options for `navigator.credentials.get`, valid for 5 minutes and for one use.',
    responses: { 200: passkeyRequestOptions },
  }),
  operation({
    id: 'logInByPasskey',
    method: 'POST',
    path: '/v1/auth/passkeys/login',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Log in by a passkey alone',
    description: 'The passkey names its user and has checked them by fingerprint, face or PIN: these are both factors.',
    body: passkeyLogin,
    responses: { 200: tokenPairWithUser },
    errors: [
      identityErrors.invalidPasskey,
      identityErrors.invalidCredentials,
      identityErrors.emailNotVerified,
      identityErrors.accountPendingApproval,
      identityErrors.accountRejected,
      identityErrors.accountSuspended,
      identityErrors.accountDisabled,
    ],
  }),
);
