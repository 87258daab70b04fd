import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { password, revoked, tokenPair } from './login.ts';
import { code, emailOnly } from './registration.ts';

const newPassword = password.meta({ examples: ['seven slow boats upriver'] });

const recoveryId = idSchema('rec').meta({
  description: 'Identifies the recovery. It is secret: the 6 digits are valid only together with it.',
});

export const recoveryBegun = z
  .object({
    status: z.literal('accepted'),
    recoveryId,
    expiresAt: timestamp.meta({ description: 'When the 6 digits expire.' }),
  })
  .meta({ id: 'RecoveryBegun' });

export const passwordReset = z
  .strictObject({
    recoveryId: recoveryId.optional().meta({ description: 'Needed with 6 digits; not with the code of the link.' }),
    code,
    newPassword,
  })
  .meta({
    id: 'PasswordReset',
    examples: [
      { recoveryId: 'rec_4k2v9x0m7d8r3tq5w1zc6b0hne', code: '493027', newPassword: 'seven slow boats upriver' },
    ],
  });

export const passwordChange = z.strictObject({ currentPassword: password, newPassword }).meta({
  id: 'PasswordChange',
  examples: [{ currentPassword: 'a quiet lake in the morning', newPassword: 'seven slow boats upriver' }],
});

const tags = ['auth'];

export const passwordOperations = operationsOf(
  operation({
    id: 'forgotPassword',
    method: 'POST',
    path: '/v1/auth/password/forgot',
    access: 'public',
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Request a code to reset a forgotten password',
    description:
      'Sends 6 digits and a link by mail if the email has an account; to staff, or after many codes that ' +
      'nobody entered, the link alone. The answer is the same in all cases.',
    body: emailOnly,
    responses: { 202: recoveryBegun },
    errors: [identityErrors.tooManyCodes],
  }),
  operation({
    id: 'resetPassword',
    method: 'POST',
    path: '/v1/auth/password/reset',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Reset a forgotten password by its code',
    description:
      'The 6 digits with `recoveryId`, on the device that asked for them; or the code of the link, on any device. Ends all ' +
      'sessions of the account.',
    body: passwordReset,
    responses: { 200: revoked },
    errors: [identityErrors.invalidCode],
  }),
  operation({
    id: 'changePassword',
    method: 'POST',
    path: '/v1/auth/password/change',
    access: 'user',
    budget: 'auth',
    tags,
    summary: 'Change the password',
    description: 'Ends all sessions of the caller, and answers new tokens for this device. Needs a fresh proof.',
    body: passwordChange,
    responses: { 200: tokenPair },
    errors: [identityErrors.tooManyAttempts, identityErrors.reauthenticationRequired],
  }),
);
