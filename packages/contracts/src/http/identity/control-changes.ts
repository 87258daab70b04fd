import { z } from 'zod';
import { controlChanges } from '../../control-changes.ts';
import { identityErrors } from '../../errors/identity.ts';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const changeReversal = z
  .strictObject({
    token: z
      .string()
      .regex(/^[\w-]{43}$/, { error: 'must be the token of the mail' })
      .meta({
        description: 'From the link of the mail about the change.',
        examples: ['q2Yw8Zt1nB5kV0xJr7sPdAq2Yw8Zt1nB5kV0xJr7sPd'],
      }),
  })
  .meta({ id: 'ChangeReversal', examples: [{ token: 'q2Yw8Zt1nB5kV0xJr7sPdAq2Yw8Zt1nB5kV0xJr7sPd' }] });

export const changesReverted = z
  .object({
    revoked: z.literal(true),
    revokedAt: timestamp,
    undone: z.array(z.enum(controlChanges)).meta({ description: 'The kinds of changes that were undone.' }),
  })
  .meta({ id: 'ChangesReverted' });

export const controlChangeOperations = operationsOf(
  operation({
    id: 'revertChanges',
    method: 'POST',
    path: '/v1/auth/changes/revert',
    access: 'public',
    budget: 'auth',
    tags: ['auth'],
    summary: 'Undo changes of email, password or second factors, by the mail about one of them',
    description:
      'Undoes all such changes of the last 7 days, whichever of them the mail is about: the account has the email, the ' +
      'second factors and the recovery codes of before the first one. All sessions end, and the links of the other mails ' +
      'are dead. So is the password: set a new one by `POST /v1/auth/password/forgot`.',
    body: changeReversal,
    responses: { 200: changesReverted },
    errors: [identityErrors.invalidRevertToken],
  }),
);
