import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  fact,
  gatewayEvents,
  identityEvents,
  identityHttp,
  identityInternalOperations,
  toEvent,
  type Event,
} from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { Revocations } from '../domain/revocations.ts';
import type { InternalClient } from '../internal-client.ts';

const { tokensRevoked, revocationsPublished } = identityEvents;
const { revocationCheckRequested } = gatewayEvents;
const retryMs = 250;
const removeOldEveryMs = 60_000;
const checkEveryMs = 300;

export interface Following {
  /**
   * Applies the header in which identity's answer states a revocation: user id, token version and, if only one session
   * is revoked, its id.
   */
  readonly applyHeader: (value: string) => void;
  /** Adds all revocations that identity knows now. Throws where identity does not answer. */
  readonly addSnapshot: () => Promise<void>;
  close(): void;
}

/**
 * Keeps the table of revocations complete. Events add new revocations. After each binding of the queue, a snapshot from
 * identity adds the revocations that were published before it. Entries are only added, so events and snapshots may
 * arrive in any order.
 * Checks show that nothing is missing: the gateway sends numbered checks, and identity answers them on the same queue.
 * They are rare while nobody needs the table.
 * `onRevoked` is called after each change.
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
  const now = () => performance.now();
  const self = randomUUID();
  // Increased by each event that makes a loading snapshot outdated.
  let generation = 0;
  let closed = false;

  await bus.broadcast({
    name: 'gateway.revocations',
    types: [tokensRevoked.type, revocationsPublished.type],
    handle: (event) => (event.type === tokensRevoked.type ? onTokensRevoked(event) : onRevocationsPublished(event)),
    onBound: () => {
      revocations.bound();
      requestCheck();
      void loadSnapshot();
    },
    onLost: () => {
      generation += 1;
      revocations.lost();
      if (!closed) logger.warn('revocations do not arrive; asking identity about each token');
    },
  });
  const removing = setInterval(() => revocations.removeOld(now()), removeOldEveryMs).unref();
  const checking = setInterval(() => {
    if (revocations.isCheckDue(now())) requestCheck();
  }, checkEveryMs).unref();

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
    addSnapshot: async () => void (await addSnapshot()),
    close() {
      closed = true;
      generation += 1;
      clearInterval(removing);
      clearInterval(checking);
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
    const check = data.success ? data.data.checks[self] : undefined;
    if (check !== undefined) revocations.checkAnswered(check);
  }

  function requestCheck(): void {
    if (!bus.health().canPublish) return;
    // The check gets its number before it is sent: its answer does not cover revocations that happen after that.
    const check = revocations.nextCheck(now());
    const event = toEvent(fact(revocationCheckRequested, self, { check }), { sequence: check, time: parts.now() });
    // Not awaited: the bus itself gives up an unconfirmed message after some seconds.
    bus
      .publish([event], { transient: true })
      .catch((error: unknown) => logger.debug({ err: error }, 'a check of the revocations was not sent'));
  }

  function revoke(userId: string, version: number, sessionId: string | undefined): void {
    if (sessionId === undefined) revocations.revokeUser(userId, version, now());
    else revocations.revokeSession(sessionId, now());
    onRevoked();
  }

  // The next snapshot has the revocation that could not be read.
  function onMissed(): void {
    revocations.missed();
    void loadSnapshot();
  }

  async function addSnapshot(): Promise<{ users: number; sessions: number }> {
    const { status, body } = await identity.get(identityInternalOperations.getRevocations.path);
    if (status !== 200) throw new Error(`identity answered ${status}`);
    const { users, sessions } = identityHttp.revocationSnapshot.parse(body);
    for (const { id, ver } of users) revocations.revokeUser(id, ver, now());
    for (const { id } of sessions) revocations.revokeSession(id, now());
    onRevoked();
    return { users: users.length, sessions: sessions.length };
  }

  async function loadSnapshot(): Promise<void> {
    generation += 1;
    const mine = generation;
    while (mine === generation) {
      try {
        const added = await addSnapshot();
        if (mine !== generation) return;
        revocations.snapshotLoaded();
        logger.info(added, 'loaded the revocations');
        return;
      } catch (error) {
        logger.warn({ err: error }, 'the revocations could not be loaded; trying again');
        await wait(retryMs);
      }
    }
  }
}
