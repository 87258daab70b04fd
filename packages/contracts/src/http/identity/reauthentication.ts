import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { password } from './login.ts';
import { recoveryCode, totpCode } from './mfa.ts';
import { passkeyAnswer, passkeyRequestOptions } from './passkeys.ts';

export const reauthentication = z
  .strictObject({
    password: password.optional(),
    code: totpCode.optional(),
    recoveryCode: recoveryCode.optional(),
    passkey: passkeyAnswer.optional(),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
    error: 'must hold exactly one of password, code, recoveryCode and passkey',
  })
  .meta({
    id: 'Reauthentication',
    minProperties: 1,
    maxProperties: 1,
    examples: [{ password: 'a quiet lake in the morning' }, { code: '287082' }],
  });

export const reauthenticated = z
  .object({
    authenticatedAt: timestamp,
    freshUntil: timestamp.meta({ description: 'Until then password, email and factors can be changed.' }),
  })
  .meta({ id: 'Reauthenticated' });

const tags = ['second factor'];

export const reauthenticationOperations = operationsOf(
  operation({
    id: 'reauthenticate',
    method: 'POST',
    path: '/v1/auth/reauthenticate',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'Prove once more who is calling',
    description:
      'For 5 minutes this session may then change password, email and factors, as after a login. A user with a second ' +
      'factor proves it by that; the password alone is not enough then.',
    body: reauthentication,
    responses: { 200: reauthenticated },
    errors: [identityErrors.invalidFactor, identityErrors.tooManyAttempts],
  }),
  operation({
    id: 'getReauthenticationOptions',
    method: 'POST',
    path: '/v1/auth/reauthenticate/passkey-options',
    access: 'user',
    alsoFor: ['enrolling'],
    budget: 'auth',
    tags,
    summary: 'Request what a passkey needs to prove who is calling',
    description: 'The options for `navigator.credentials.get`, valid for 5 minutes, for one use and for this session.',
    responses: { 200: passkeyRequestOptions },
    errors: [identityErrors.secondFactorMissing],
  }),
);
