import { setTimeout as wait } from 'node:timers/promises';
import { identityEvents, identityHttp, identityInternalOperations } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { Revocations } from '../domain/revocations.ts';
import type { InternalClient } from '../internal-client.ts';

const { tokensRevoked, revocationsPublished } = identityEvents;
const retryMs = 250;
const removeOldEveryMs = 60_000;
const loggedSkewMs = 1_000;

export interface Following {
  /** Applies the header by which identity's answer states a revocation: user, token version and, of one session, its id. */
  readonly applyHeader: (value: string) => void;
  close(): void;
}

/**
 * Keeps the table of revocations complete by events and, after each binding of the queue, by a snapshot from identity. The
 * snapshot is requested after the binding, since it has to hold what was published before it. Entries are only added, so
 * events and snapshot may arrive in any order. `onRevoked` is called after each change.
 */
export async function followRevocations(parts: {
  bus: Bus;
  identity: InternalClient;
  revocations: Revocations;
  onRevoked: () => void;
  now: () => Date;
  logger: Logger;
}): Promise<Following> {
  const { bus, identity, revocations, onRevoked, logger } = parts;
  const now = () => parts.now().getTime();
  // Raised by whatever makes a snapshot that is being loaded out of date.
  let generation = 0;
  let loggedSkew = false;
  let closed = false;

  await bus.broadcast({
    name: 'gateway.revocations',
    types: [tokensRevoked.type, revocationsPublished.type],
    handle: (event) => (event.type === tokensRevoked.type ? onTokensRevoked(event) : onRevocationsPublished(event)),
    onBound: () => {
      revocations.bound();
      void loadSnapshot();
    },
    onLost: () => {
      generation += 1;
      revocations.lost();
      if (!closed) logger.warn('revocations do not arrive; asking identity about each token');
    },
  });
  const timer = setInterval(() => revocations.removeOld(now()), removeOldEveryMs).unref();

  return {
    applyHeader: (value) => {
      const [userId, version, sessionId] = value.split(' ');
      if (!userId || !/^\d+$/.test(version ?? '')) {
        logger.error('identity stated a revocation in an unknown form');
        onMissed();
        return;
      }
      revoke(userId, Number(version), sessionId);
    },
    close() {
      closed = true;
      generation += 1;
      clearInterval(timer);
    },
  };

  function onTokensRevoked(event: Event): void {
    const data = tokensRevoked.data.safeParse(event.data);
    if (data.success) revoke(event.subject, data.data.tokenVersion, data.data.sessionId ?? undefined);
    else {
      logger.error({ eventId: event.id }, 'a revocation could not be read');
      onMissed();
    }
  }

  function onRevocationsPublished(event: Event): void {
    const data = revocationsPublished.data.safeParse(event.data);
    if (!data.success) return;
    const upTo = Date.parse(data.data.upTo);
    revocations.arrivedUpTo(upTo, now());
    if (upTo - now() > loggedSkewMs && !loggedSkew) {
      loggedSkew = true;
      logger.warn({ aheadMs: upTo - now() }, "identity's clock is ahead of this one: synchronize them");
    }
  }

  function revoke(userId: string, version: number, sessionId: string | undefined): void {
    if (sessionId === undefined) revocations.revokeUser(userId, version, now());
    else revocations.revokeSession(sessionId, now());
    onRevoked();
  }

  // What could not be read is in the next snapshot.
  function onMissed(): void {
    revocations.missed();
    void loadSnapshot();
  }

  async function loadSnapshot(): Promise<void> {
    generation += 1;
    const mine = generation;
    while (mine === generation) {
      try {
        const { status, body } = await identity.get(identityInternalOperations.getRevocations.path);
        if (status !== 200) throw new Error(`identity answered ${status}`);
        const { users, sessions } = identityHttp.revocationSnapshot.parse(body);
        for (const { id, ver } of users) revocations.revokeUser(id, ver, now());
        for (const { id } of sessions) revocations.revokeSession(id, now());
        if (mine !== generation) return;
        revocations.snapshotLoaded();
        onRevoked();
        logger.info({ users: users.length, sessions: sessions.length }, 'loaded the revocations');
        return;
      } catch (error) {
        logger.warn({ err: error }, 'the revocations could not be loaded; trying again');
        await wait(retryMs);
      }
    }
  }
}
