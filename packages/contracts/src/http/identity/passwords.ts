import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { emailAddress } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { password, revoked, tokenPair } from './login.ts';
import { accepted, code, emailOnly } from './registration.ts';

const newPassword = password.meta({ examples: ['seven slow boats upriver'] });

export const passwordReset = z.strictObject({ email: emailAddress, code, newPassword }).meta({
  id: 'PasswordReset',
  examples: [{ email: 'ada@example.com', code: '493027', newPassword: 'seven slow boats upriver' }],
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
    description: 'Sends a code by mail if the email has an account. The answer is the same in all cases.',
    body: emailOnly,
    responses: { 202: accepted },
  }),
  operation({
    id: 'resetPassword',
    method: 'POST',
    path: '/v1/auth/password/reset',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Reset a forgotten password by its code',
    description: 'Ends all sessions of the account. The code came by mail, so the email counts as verified.',
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
    description: 'Ends all sessions of the caller, and answers new tokens for this device.',
    body: passwordChange,
    responses: { 200: tokenPair },
    errors: [identityErrors.tooManyAttempts],
  }),
);
