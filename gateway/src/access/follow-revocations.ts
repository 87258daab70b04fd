import { setTimeout as wait } from 'node:timers/promises';
import { identityEvents, identityHttp } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import type { Logger } from 'pino';
import type { Ask } from '../ask.ts';
import type { Revocations } from '../domain/revocations.ts';

const { tokensRevoked, revocationsPublished } = identityEvents;
const retryMs = 250;
const forgetMs = 60_000;
const skewWorthAWordMs = 1_000;

export interface Following {
  /** What identity says in the header of an answer: user, token version and, for one session only, its id. */
  readonly applyHeader: (value: string) => void;
  close(): void;
}

/**
 * Keeps the table of revocations complete: the events as they come; at every binding of the queue also a snapshot from
 * identity, asked for after the binding, since what was published before it was not seen. Entries are only ever added,
 * so the order in which events and snapshot come does not matter. `onRevoked` is called after each change.
 */
export async function followRevocations(parts: {
  bus: Bus;
  ask: Ask;
  revocations: Revocations;
  onRevoked: () => void;
  now: () => Date;
  logger: Logger;
}): Promise<Following> {
  const { bus, ask, revocations, onRevoked, logger } = parts;
  const now = () => parts.now().getTime();
  let binding = 0;
  let warnedOfSkew = false;
  let closed = false;

  await bus.broadcast({
    name: 'gateway.revocations',
    types: [tokensRevoked.type, revocationsPublished.type],
    handle: (event) => (event.type === tokensRevoked.type ? onTokensRevoked(event) : onPublished(event)),
    onBound: () => {
      binding += 1;
      revocations.bound();
      void pullSnapshot(binding);
    },
    onLost: () => {
      binding += 1;
      revocations.lost();
      if (!closed) logger.warn('revocations do not arrive; asking identity about each token');
    },
  });
  const timer = setInterval(() => revocations.forget(now()), forgetMs).unref();

  return {
    applyHeader: (value) => {
      const [userId, version, sessionId] = value.split(' ');
      if (!userId || !/^\d+$/.test(version ?? '')) {
        logger.error('identity said that tokens were revoked, in a form that is not known');
        missedOne();
        return;
      }
      revoke(userId, Number(version), sessionId);
    },
    close() {
      closed = true;
      binding += 1;
      clearInterval(timer);
    },
  };

  function onTokensRevoked(event: Event): void {
    const data = tokensRevoked.data.safeParse(event.data);
    if (data.success) revoke(event.subject, data.data.tokenVersion, data.data.sessionId ?? undefined);
    else {
      logger.error({ eventId: event.id }, 'a revocation could not be read');
      missedOne();
    }
  }

  function onPublished(event: Event): void {
    const data = revocationsPublished.data.safeParse(event.data);
    if (!data.success) return;
    const upTo = Date.parse(data.data.upTo);
    revocations.arrivedUpTo(upTo, now());
    if (upTo - now() > skewWorthAWordMs && !warnedOfSkew) {
      warnedOfSkew = true;
      logger.warn({ aheadMs: upTo - now() }, "identity's clock is ahead of this one: synchronize them");
    }
  }

  function revoke(userId: string, version: number, sessionId: string | undefined): void {
    if (sessionId === undefined) revocations.revokeUser(userId, version, now());
    else revocations.revokeSession(sessionId, now());
    onRevoked();
  }

  // A fact that can't be read is a fact that is missing: the snapshot has it.
  function missedOne(): void {
    binding += 1;
    revocations.missed();
    void pullSnapshot(binding);
  }

  async function pullSnapshot(mine: number): Promise<void> {
    const isCurrent = () => mine === binding;
    while (isCurrent()) {
      try {
        const { status, body } = await ask('/internal/revocations');
        if (status !== 200) throw new Error(`identity answered ${status}`);
        const { users, sessions } = identityHttp.revocationSnapshot.parse(body);
        for (const { id, ver } of users) revocations.revokeUser(id, ver, now());
        for (const { id } of sessions) revocations.revokeSession(id, now());
        if (!isCurrent()) return;
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
