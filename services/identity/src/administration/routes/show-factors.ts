import type { identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { FactorSummary } from '../../factors/factors.ts';

/** The second factors of a user as staff see them. */
export function showFactors({
  totp,
  passkeys,
  recoveryCodesLeft,
}: FactorSummary): z.infer<typeof identityHttp.userDetails>['secondFactors'] {
  return {
    totp: totp && { confirmedAt: totp.confirmedAt.toISOString() },
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft,
  };
}
