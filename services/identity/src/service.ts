import { createAccessTokenSigner } from '@storefront/access-token';
import { identityInternalOperations, identityOperations } from '@storefront/contracts';
import { openCollections } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { createAuditLog } from './audit/commands/audit-log.ts';
import { auditHandlers } from './audit/routes/audit.ts';
import { createPersonCipher } from './audit/secrets/person-cipher.ts';
import { openEntries } from './audit/store/entries.ts';
import { openFloods } from './audit/store/floods.ts';
import { openPersonKeys } from './audit/store/person-keys.ts';
import { createCodes } from './secrets/codes.ts';
import { createFlowIds } from './accounts/secrets/flow-ids.ts';
import { openCodeCounts } from './accounts/store/code-counts.ts';
import { openSenderBudgets } from './accounts/store/sender-budgets.ts';
import { createFirstAdministrator } from './administration/commands/create-first-administrator.ts';
import { configSchema, type IdentityConfig } from './config.ts';
import { controlChangeHandlers } from './accounts/routes/control-changes.ts';
import { openControlChanges } from './factors/store/control-changes.ts';
import { openReversals } from './accounts/store/reversals.ts';
import { emailChangeHandlers } from './accounts/routes/email-change.ts';
import { openEmailChanges } from './accounts/store/email-changes.ts';
import { mfaHandlers } from './factors/routes/mfa.ts';
import { passkeyHandlers } from './factors/routes/passkeys.ts';
import { reauthenticationHandlers } from './factors/routes/reauthentication.ts';
import { createOpaqueTokens } from './factors/secrets/opaque-tokens.ts';
import { createRecoveryCodes } from './factors/secrets/recovery-codes.ts';
import { createTotpSecrets } from './factors/secrets/totp.ts';
import { createWebauthn } from './factors/secrets/webauthn.ts';
import { openChallenges } from './factors/store/challenges.ts';
import { openFactors } from './factors/store/factors.ts';
import { openMfaTokens } from './factors/store/mfa-tokens.ts';
import { revocationKeptMs } from './domain/revocation.ts';
import { answerRevocationChecks } from './sessions/jobs/answer-revocation-checks.ts';
import { watchDataRequests } from './user-data/jobs/watch-data-requests.ts';
import { subscriptions } from './events/subscriptions.ts';
import { administratorHandlers } from './administration/routes/administrators.ts';
import { internalHandlers } from './sessions/routes/internal.ts';
import { keyHandlers } from './sessions/routes/keys.ts';
import { loginHandlers } from './accounts/routes/login.ts';
import { passwordHandlers } from './accounts/routes/passwords.ts';
import { sessionHandlers } from './sessions/routes/sessions.ts';
import { tradeAccountHandlers } from './administration/routes/trade-accounts.ts';
import { userDataHandlers } from './user-data/routes/user-data.ts';
import { userHandlers } from './accounts/routes/users.ts';
import { openRecoveries } from './accounts/store/recoveries.ts';
import { registrationHandlers } from './accounts/routes/registration.ts';
import { createPasswordTags } from './accounts/secrets/password-tags.ts';
import { openRegistrations } from './accounts/store/registrations.ts';
import { createCommonPasswords } from './secrets/common-passwords.ts';
import { createPasswords } from './secrets/passwords.ts';
import { refreshTokens } from './sessions/secrets/refresh-tokens.ts';
import { openSigningKeys } from './sessions/secrets/signing-keys.ts';
import { openAdministrators } from './administration/store/administrators.ts';
import { collections } from './store/collections.ts';
import { openDataRequests } from './user-data/store/data-requests.ts';
import { openDecoys } from './accounts/store/decoys.ts';
import { openEmails } from './store/emails.ts';
import { openExportPages } from './user-data/store/export-pages.ts';
import { openKeyRings } from './sessions/store/key-rings.ts';
import { openKnownClients } from './sessions/store/known-clients.ts';
import { openLoginThrottle } from './sessions/store/login-throttle.ts';
import { openRevocations } from './sessions/store/revocations.ts';
import { openSessions } from './sessions/store/sessions.ts';
import { openTokenStates } from './sessions/store/token-states.ts';
import { openUsers } from './store/users.ts';

/** Who a user is: registration, logins, tokens, and the approval of trade accounts. */
export const service = defineService({ name: 'identity', config: configSchema, collections, start });

async function start(config: IdentityConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('identity', config, overrides);
  const { database, now, logger, cursors } = resources;
  await openCollections(database, collections);

  const lifetimes = {
    accessSeconds: config.ACCESS_TOKEN_SECONDS,
    refreshSeconds: config.REFRESH_TOKEN_SECONDS,
    sessionSeconds: config.SESSION_SECONDS,
  };
  const signingKeys = await openSigningKeys(
    {
      keyRings: openKeyRings(database),
      secret: config.KEY_ENCRYPTION_SECRET,
      accessSeconds: lifetimes.accessSeconds,
      now,
    },
    logger,
  );
  resources.opened.defer(async () => signingKeys.close());
  const claims = { issuer: config.ACCESS_TOKEN_ISSUER, audience: config.ACCESS_TOKEN_AUDIENCE };
  const minLength = config.PASSWORD_MIN_LENGTH;
  const codeSecret = config.CODE_SECRET;
  const users = openUsers(resources);
  const emails = openEmails(database);
  const personCipher = createPersonCipher(config.KEY_ENCRYPTION_SECRET);
  const audit = {
    entries: openEntries(database),
    floods: openFloods(database, personCipher),
    personKeys: openPersonKeys(resources, personCipher),
    hashAddress: (ip: string) => personCipher.hash('address', ip),
  };
  const auditLog = createAuditLog({ ...audit, logger, now });
  resources.opened.defer(() => auditLog.close());
  const factors = openFactors(resources);
  const controlChanges = openControlChanges(resources, { users, factors });
  const recoveries = openRecoveries(resources, { users, factors, controlChanges });
  const accountStores = { users, emails, factors, recoveries, controlChanges };
  const emailChanges = openEmailChanges(resources, accountStores);

  const parts = {
    now,
    logger,
    cursors,
    lifetimes,
    users,
    administrators: openAdministrators({ database, users }),
    emails,
    registrations: openRegistrations(resources, { users, emails }),
    recoveries,
    codeCounts: openCodeCounts(resources, codeSecret),
    senderBudgets: openSenderBudgets(resources, codeSecret),
    decoys: openDecoys(resources),
    sessions: openSessions(database),
    loginThrottle: openLoginThrottle(resources, codeSecret),
    knownClients: openKnownClients(resources, codeSecret),
    revocations: openRevocations(database, revocationKeptMs(lifetimes.accessSeconds)),
    tokenStates: openTokenStates(database),
    ...openDataRequests(resources, users),
    exportPages: openExportPages(database),
    passwordRules: { minLength, isCommon: createCommonPasswords(minLength) },
    factors,
    controlChanges,
    emailChanges,
    reversals: openReversals(resources, { ...accountStores, emailChanges }),
    mfaTokens: openMfaTokens(database),
    challenges: openChallenges(database),
    adminMfa: config.ADMIN_MFA,
    totpSecrets: createTotpSecrets(config.KEY_ENCRYPTION_SECRET, config.SHOP_NAME),
    recoveryCodes: createRecoveryCodes(codeSecret),
    newMfaTokens: createOpaqueTokens('mfa'),
    webauthn: createWebauthn({
      name: config.SHOP_NAME,
      id: config.WEBAUTHN_RP_ID,
      origins: config.WEBAUTHN_ORIGINS,
    }),
    passwords: await createPasswords(),
    passwordTags: createPasswordTags(codeSecret),
    codes: createCodes(codeSecret, config.CODE_SEALING_KEY),
    flowIds: createFlowIds(codeSecret),
    refreshTokens,
    accessTokens: createAccessTokenSigner(claims, () => signingKeys.current(), now),
    signingKeys,
    ...audit,
    auditLog,
  };
  await createFirstAdministrator(parts, config);

  const answering = await answerRevocationChecks({ ...resources, revocations: parts.revocations });
  resources.opened.defer(() => answering.stop());

  const requests = watchDataRequests({ ...parts, metrics: resources.metrics });
  resources.opened.defer(() => requests.stop());

  return await serve(resources, {
    operations: { ...identityOperations, ...identityInternalOperations },
    areas: [
      {
        handlers: {
          ...registrationHandlers(parts),
          ...loginHandlers(parts),
          ...sessionHandlers(parts),
          ...passwordHandlers(parts),
          ...mfaHandlers(parts),
          ...passkeyHandlers(parts),
          ...reauthenticationHandlers(parts),
          ...emailChangeHandlers(parts),
          ...controlChangeHandlers(parts),
          ...userHandlers(parts),
          ...userDataHandlers(parts),
          ...tradeAccountHandlers(parts),
          ...administratorHandlers(parts),
          ...auditHandlers(parts),
          ...keyHandlers(parts),
          ...internalHandlers(parts),
        },
        subscriptions: subscriptions(parts),
        // Reported only: requests are served all the same.
        readiness: { dataRequests: () => ({ ok: true, overdue: requests.overdue() }) },
      },
    ],
  });
}
