import { createAccessTokenSigner } from '@storefront/access-token';
import { allPages, type identityInternalOperations, type identityOperations } from '@storefront/contracts';
import type { Database } from '@storefront/mongo';
import type { Area, Resources } from '@storefront/service';
import type { IdentityConfig } from '../config.ts';
import type { Device, Proof } from '../domain/caller.ts';
import { revocationKeptMs } from '../domain/revocation.ts';
import type { User } from '../domain/user.ts';
import { createOpaqueTokens } from '../secrets/opaque-tokens.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { Users } from '../store/users.ts';
import { checkPassword, type CheckedPassword, type RightPassword } from './commands/check-password.ts';
import { mostSessions, openSession, type OpenedSession } from './commands/open-session.ts';
import type { SealedKey } from './domain/key-ring.ts';
import { exportedSession, type Session } from './domain/session.ts';
import { answerRevocationChecks } from './jobs/answer-revocation-checks.ts';
import { consoleSessionHandlers } from './routes/console-sessions.ts';
import { internalHandlers } from './routes/internal.ts';
import { keyHandlers } from './routes/keys.ts';
import { sessionHandlers } from './routes/sessions.ts';
import { streamTicketHandlers } from './routes/stream-tickets.ts';
import { refreshTokens } from './secrets/refresh-tokens.ts';
import { openSigningKeys, rotateSigningKeys } from './secrets/signing-keys.ts';
import { openKeyRings, signingKeys } from './store/key-rings.ts';
import { knownClients, openKnownClients } from './store/known-clients.ts';
import { loginAttempts, loginFailures, openLoginThrottle } from './store/login-throttle.ts';
import { erasedUserTokens, openRevocations } from './store/revocations.ts';
import { openSessionStore, sessions, type SessionStore } from './store/sessions.ts';
import { openStreamTickets, streamTickets } from './store/stream-tickets.ts';
import { openTokenStates } from './store/token-states.ts';

export type { OpenedSession, TokenPair } from './commands/open-session.ts';
export { showSession } from './routes/sessions.ts';
export { openSessionStore } from './store/sessions.ts';

export const sessionsCollections = [
  sessions,
  loginAttempts,
  loginFailures,
  knownClients,
  erasedUserTokens,
  signingKeys,
  streamTickets,
];

export interface SessionsArea
  extends
    Area<typeof identityOperations & typeof identityInternalOperations>,
    Pick<SessionStore, 'find' | 'prove' | 'inUse' | 'removeBelow'> {
  /**
   * Logs in a device that has just given this proof. For a device that has proved only one factor, call
   * `openSessionByOneFactor` of `factors` instead. Beyond a hundred sessions of the user the oldest ones are ended.
   */
  open(user: User, device: Device, proof: Proof): Promise<OpenedSession>;
  /** The living sessions of the user, newest first. */
  livingOf(user: Pick<User, 'id' | 'tokenVersion'>): Promise<readonly Session[]>;
  /**
   * Throws `refusal` unless the password is right, and `too_many_attempts` after too many wrong passwords from this
   * client. Takes the same time where the email has no account. The user is up to date.
   */
  checkPassword(
    checked: CheckedPassword,
    password: string,
    device: Device,
    refusal: () => Error,
  ): Promise<RightPassword>;
}

interface Ports {
  readonly users: Users;
  readonly passwords: Passwords;
}

const readAtOnce = 200;

/**
 * Opens, refreshes and revokes sessions and their tokens. Also has the signing keys, and the throttle of logins by
 * password.
 */
export async function openSessions(
  resources: Resources,
  config: IdentityConfig,
  { users, passwords }: Ports,
): Promise<SessionsArea> {
  const { cursors, database, logger, now, opened } = resources;
  const lifetimes = {
    accessSeconds: config.ACCESS_TOKEN_SECONDS,
    refreshSeconds: config.REFRESH_TOKEN_SECONDS,
    sessionSeconds: config.SESSION_SECONDS,
    consoleIdleSeconds: config.CONSOLE_IDLE_SECONDS,
  };
  const keptMs = revocationKeptMs(lifetimes.accessSeconds);
  const keys = await openSigningKeys(
    {
      keyRings: openKeyRings(database),
      secret: config.KEY_ENCRYPTION_SECRET,
      accessSeconds: lifetimes.accessSeconds,
      now,
    },
    logger,
  );
  opened.defer(() => keys.close());
  const claims = { issuer: config.ACCESS_TOKEN_ISSUER, audience: config.ACCESS_TOKEN_AUDIENCE };
  const store = openSessionStore(database);
  const revocations = openRevocations(database, keptMs);
  const loginThrottle = openLoginThrottle(resources, config.CODE_SECRET);
  const clients = openKnownClients(resources, config.CODE_SECRET);
  const needs = {
    now,
    cursors,
    lifetimes,
    users,
    passwords,
    sessions: store,
    knownClients: clients,
    loginThrottle,
    revocations,
    tokenStates: openTokenStates(database),
    streamTickets: openStreamTickets(database),
    newStreamTickets: createOpaqueTokens('ticket'),
    adminMfa: config.ADMIN_MFA,
    refreshTokens,
    accessTokens: createAccessTokenSigner(claims, () => keys.current(), now),
    signingKeys: keys,
  };
  const answering = await answerRevocationChecks({ ...resources, revocations });
  opened.defer(() => answering.stop());
  return {
    ...store,
    open: (...session) => openSession(needs, ...session),
    async livingOf({ id, tokenVersion }) {
      const { items } = await store.page(id, tokenVersion, { limit: mostSessions, after: undefined }, now());
      return items;
    },
    checkPassword: (...checked) => checkPassword(needs, ...checked),
    handlers: {
      ...sessionHandlers(needs),
      ...consoleSessionHandlers(needs),
      ...streamTicketHandlers(needs),
      ...keyHandlers(needs),
      ...internalHandlers(needs),
    },
    userData: {
      async *collect({ userId }) {
        for await (const page of allPages((slice) => store.all(userId, slice), readAtOnce))
          yield { sessions: page.map(exportedSession) };
      },
      async erase({ userId }) {
        const user = (await users.load(userId))?.state;
        if (!user) return;
        const { email, tokenVersion: ver } = user;
        await Promise.all([
          // Gateways that start later must still refuse the last tokens of the user.
          revocations.keepErased({ id: userId, ver, until: new Date(now().getTime() + keptMs) }),
          store.removeBelow(userId, ver + 1),
          loginThrottle.forget(email),
          clients.forget(userId),
        ]);
      },
    },
  };
}

/**
 * Rotates the keys: the next key becomes the one that signs. Returns this key; it begins to sign at its `activeFrom`.
 */
export function rotateKeys(database: Database, config: RotationConfig, now: () => Date): Promise<SealedKey> {
  return rotateSigningKeys({
    keyRings: openKeyRings(database),
    secret: config.KEY_ENCRYPTION_SECRET,
    accessSeconds: config.ACCESS_TOKEN_SECONDS,
    now,
  });
}

type RotationConfig = Pick<IdentityConfig, 'KEY_ENCRYPTION_SECRET' | 'ACCESS_TOKEN_SECONDS'>;
