import { createAccessTokenSigner } from '@storefront/access-token';
import { newId } from '@storefront/contracts';
import { openParts, serve } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import { buildApp } from './app.ts';
import type { IdentityConfig } from './config.ts';
import type { Identity } from './domain/ports.ts';
import { subscriptions } from './events/subscriptions.ts';
import { publishWatermarks } from './events/watermark.ts';
import { makeFirstAdministrator } from './first-administrator.ts';
import { createCodes } from './secrets/codes.ts';
import { createCommonPasswords } from './secrets/common-passwords.ts';
import { createPasswords } from './secrets/passwords.ts';
import { refreshTokens } from './secrets/refresh-tokens.ts';
import { openSigningKeys } from './secrets/signing-keys.ts';
import { createDataRequests, indexDataRequests } from './store/data-requests.ts';
import { createEmails } from './store/emails.ts';
import { createKeyrings } from './store/keyrings.ts';
import { createRevocations } from './store/revocations.ts';
import { createSessions, indexSessions } from './store/sessions.ts';
import { createTradeAccounts } from './store/trade-accounts.ts';
import { createTurns, indexTurns } from './store/turns.ts';
import { createUsers, indexUsers } from './store/users.ts';

/** Starts the identity service: who somebody is, and what they may hold to show it. */
export async function start(config: IdentityConfig, surroundings?: Surroundings): Promise<Running> {
  await using parts = await openParts('identity', config, surroundings);
  const { database, relay, bus, now, logger } = parts;
  await Promise.all([indexUsers(database), indexSessions(database), indexTurns(database), indexDataRequests(database)]);

  const accessSeconds = config.ACCESS_TOKEN_SECONDS;
  const keys = await openSigningKeys(
    { keyrings: createKeyrings(database), secret: config.KEY_ENCRYPTION_SECRET, accessSeconds, now },
    logger,
  );
  parts.opened.defer(async () => keys.close());
  const tokenRules = { issuer: config.ACCESS_TOKEN_ISSUER, audience: config.ACCESS_TOKEN_AUDIENCE };
  const sessions = createSessions(database);
  const users = createUsers(database, { relay, now });
  const identity: Identity = {
    now,
    newId,
    rules: {
      minLength: config.PASSWORD_MIN_LENGTH,
      isCommon: createCommonPasswords(config.PASSWORD_MIN_LENGTH),
      accessSeconds,
      refreshSeconds: config.REFRESH_TOKEN_SECONDS,
    },
    emails: createEmails(database),
    users,
    sessions,
    turns: createTurns(database, config.CODE_SECRET, now),
    ...createDataRequests(database, users, { relay, now }),
    passwords: await createPasswords(),
    codes: createCodes(config.CODE_SECRET, config.CODE_SEALING_KEY),
    refreshTokens,
    accessTokens: createAccessTokenSigner(tokenRules, () => keys.current(), now),
  };
  await makeFirstAdministrator(identity, config, logger);

  const watermarks = publishWatermarks({ bus, relay, now, logger });
  parts.opened.defer(() => watermarks.stop());

  return await serve(parts, {
    routes: buildApp({
      identity,
      keys,
      sessions,
      tradeAccounts: createTradeAccounts(database),
      revocations: createRevocations(database),
      cursors: parts.cursors,
    }),
    subscriptions: subscriptions(identity),
  });
}
