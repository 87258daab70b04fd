import { z } from 'zod';
import { defineEvent } from '../event.ts';

export const revocationCheckRequested = defineEvent(
  'gateway.revocation-check-requested',
  'A gateway asks whether everything revoked before this check has been published; `identity.revocations-published` answers. The subject is the gateway, which numbers its checks. Not stored: the next one follows within a second.',
  z.object({ check: z.int().min(1) }),
);

export const requestsCounted = defineEvent(
  'gateway.requests-counted',
  'A gateway has counted requests, so that all gateways grant one budget together. The subject is the gateway; a caller is a keyed hash. Not stored: what is missed is counted by one gateway less.',
  z.object({
    counts: z
      .array(z.tuple([z.string().regex(/^[\w-]{22}$/), z.int().min(1).max(1_000_000)]))
      .min(1)
      .max(1000),
  }),
);
