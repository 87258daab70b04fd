import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { enteredEmail, shownEmail, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { tokenPairWithUser } from './login.ts';
import { code } from './registration.ts';

export const emailChange = z
  .strictObject({ email: enteredEmail })
  .meta({ id: 'EmailChange', examples: [{ email: 'countess@example.com' }] });

export const emailChangeBegun = z
  .object({
    emailChangeId: idSchema('emch'),
    email: shownEmail,
    expiresAt: timestamp.meta({ description: 'When the code expires.' }),
    resendAfter: timestamp.meta({ description: 'From then on another code can be requested.' }),
  })
  .meta({ id: 'EmailChangeBegun' });

export const emailConfirmation = z.strictObject({ emailChangeId: idSchema('emch'), code }).meta({
  id: 'EmailConfirmation',
  examples: [{ emailChangeId: 'emch_01h455vb4pex5vsknk084sn02q', code: '493027' }],
});

const tags = ['users'];

export const emailChangeOperations = operationsOf(
  operation({
    id: 'changeEmail',
    method: 'POST',
    path: '/v1/users/me/email',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Begin to change the email',
    description:
      'Sends a code to the new address. The answer is the same whether it has an account or not; the owner of an account ' +
      'is informed by mail. A new request replaces the one before; once a minute and five times an hour. Needs a fresh ' +
      'proof.',
    body: emailChange,
    responses: { 202: emailChangeBegun },
    errors: [
      identityErrors.reauthenticationRequired,
      identityErrors.tooManyEmailChanges,
      identityErrors.tooManyControlChanges,
      identityErrors.tooManyCodes,
    ],
  }),
  operation({
    id: 'confirmEmail',
    method: 'POST',
    path: '/v1/users/me/email/confirm',
    access: 'user',
    tags,
    summary: 'Change the email by the code that was sent to it',
    description:
      'Ends all sessions of the caller, and answers new tokens for this device. The former address gets a mail with a ' +
      'way back for 7 days, and belongs to nobody else until then.',
    body: emailConfirmation,
    responses: { 200: tokenPairWithUser },
    errors: [identityErrors.invalidCode, identityErrors.tooManyControlChanges],
  }),
);
