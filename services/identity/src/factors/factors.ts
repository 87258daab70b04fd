import { deletedIfAny, type Actor, type identityOperations } from '@storefront/contracts';
import type { Area, Resources } from '@storefront/service';
import type { AuditLog } from '../audit/audit.ts';
import type { IdentityConfig } from '../config.ts';
import type { CallerSession, Device, Proof } from '../domain/caller.ts';
import type { User } from '../domain/user.ts';
import type { Codes } from '../secrets/codes.ts';
import { createOpaqueTokens } from '../secrets/opaque-tokens.ts';
import type { OpenedSession, SessionsArea } from '../sessions/sessions.ts';
import type { Users } from '../store/users.ts';
import { removeLostFactor, type FactorName } from './commands/remove-factor.ts';
import { requireFreshProof, requireFreshSecondFactor } from './commands/require-fresh-proof.ts';
import { openSessionByOneFactor } from './commands/second-factor-login.ts';
import { exportedChange } from './domain/control-change.ts';
import { exportedFactors, summaryOf, type FactorSummary } from './domain/factors.ts';
import { mfaHandlers } from './routes/mfa.ts';
import { passkeyHandlers } from './routes/passkeys.ts';
import { reauthenticationHandlers } from './routes/reauthentication.ts';
import { createRecoveryCodes } from './secrets/recovery-codes.ts';
import { createTotpSecrets } from './secrets/totp.ts';
import { createWebauthn } from './secrets/webauthn.ts';
import { challenges, openChallenges } from './store/challenges.ts';
import { controlChanges, openControlChanges, type ControlChanges } from './store/control-changes.ts';
import { factors, openFactorStore } from './store/factors.ts';
import { mfaTokens, openMfaTokens } from './store/mfa-tokens.ts';

export { removeLostFactor, type FactorName } from './commands/remove-factor.ts';
export type { ControlChangeKind } from './domain/control-change.ts';
export { summaryOf, type FactorSummary } from './domain/factors.ts';
export type { ControlChain } from './domain/undo.ts';
export type { ChangeRecord, ControlChanges } from './store/control-changes.ts';
export { openFactorStore, type FactorStore } from './store/factors.ts';

export const factorsCollections = [factors, controlChanges, mfaTokens, challenges];

export interface FactorsArea extends Area<typeof identityOperations> {
  /** Records the changes of who controls an account, so that these changes can be undone. */
  readonly controlChanges: ControlChanges;
  /**
   * Throws `reauthentication_required` unless the session has proved within 5 minutes who is calling. Returns the
   * proof, for a session that replaces this one.
   */
  requireFreshProof(caller: CallerSession): Promise<Proof>;
  /** As `requireFreshProof`, but requires a second factor. Throws `second_factor_missing` where the caller has none. */
  requireFreshSecondFactor(caller: CallerSession): Promise<void>;
  /** Logs in a device that has proved one factor. Throws `mfa_required` where the user has a second factor. */
  openSessionByOneFactor(user: User, device: Device): Promise<OpenedSession>;
  summaryOf(userId: string): Promise<FactorSummary>;
  /**
   * Removes a factor that `user`, a member of the staff, has lost. Throws `not_found` where there is no such factor, and
   * `last_factor_required`.
   */
  removeLost(user: User, factor: FactorName, actor: Actor): Promise<void>;
}

interface Ports {
  readonly auditLog: AuditLog;
  readonly codes: Codes;
  readonly sessions: SessionsArea;
  readonly users: Users;
}

/**
 * Handles the factors that prove who a user is besides the password: authenticator app, passkeys and recovery codes.
 * Offers logins by these factors, and fresh proofs. Also records changes of who controls an account.
 */
export function openFactors(resources: Resources, config: IdentityConfig, ports: Ports): FactorsArea {
  const { database, now } = resources;
  const store = openFactorStore(resources);
  const changes = openControlChanges(resources, { ...ports, factors: store });
  const needs = {
    ...ports,
    now,
    factors: store,
    controlChanges: changes,
    mfaTokens: openMfaTokens(database),
    challenges: openChallenges(database),
    adminMfa: config.ADMIN_MFA,
    totpSecrets: createTotpSecrets(config.KEY_ENCRYPTION_SECRET, config.SHOP_NAME),
    recoveryCodes: createRecoveryCodes(config.CODE_SECRET),
    newMfaTokens: createOpaqueTokens('mfa'),
    webauthn: createWebauthn({
      name: config.SHOP_NAME,
      id: config.WEBAUTHN_RP_ID,
      origins: config.WEBAUTHN_ORIGINS,
    }),
  };
  const load = async (userId: string) => (await store.load(userId))?.state ?? null;
  return {
    controlChanges: changes,
    requireFreshProof: (caller) => requireFreshProof(needs, caller),
    requireFreshSecondFactor: (caller) => requireFreshSecondFactor(needs, caller),
    openSessionByOneFactor: (user, device) => openSessionByOneFactor(needs, user, device),
    summaryOf: async (userId) => summaryOf(await load(userId)),
    removeLost: (user, factor, actor) => removeLostFactor(needs, user, factor, actor),
    handlers: { ...mfaHandlers(needs), ...passkeyHandlers(needs), ...reauthenticationHandlers(needs) },
    userData: {
      async *collect({ userId }) {
        const [factors, open] = await Promise.all([load(userId), changes.openOf(userId, now())]);
        yield { secondFactors: factors && exportedFactors(factors), changes: open.map(exportedChange) };
      },
      async erase({ userId }) {
        await Promise.all([store.change(userId, deletedIfAny), needs.mfaTokens.removeAll(userId)]);
      },
    },
  };
}
