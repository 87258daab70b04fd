import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A signing key as it is stored, with its private part encrypted. */
const sealedKey = z.object({
  kid: z.string(),
  sealed: z.string(),
  createdAt: z.date(),
  /** When the key begins to sign; null while the key is only announced. */
  activeFrom: z.date().nullable(),
});
export type SealedKey = StateOf<typeof sealedKey>;

/** A key that is not part of a ring yet. */
export type UnusedKey = Omit<SealedKey, 'activeFrom'>;

/**
 * All signing keys, oldest first: the retired keys, the active key, and the next key, which verifiers know before it
 * signs. Only the time decides which key is active, so all instances with the same ring agree.
 */
export const keyRing = z.object({ keys: z.array(sealedKey) });
export type KeyRing = StateOf<typeof keyRing>;

// Twice as long as verifiers take to fetch unknown keys, and twice as long as instances take to read the ring again.
const announcedMs = 60_000;

/**
 * The key that signs at the time `now`. If this clock is behind the clock of the instance that made the ring, it is the
 * oldest key that may sign.
 */
export function activeKey(ring: KeyRing, now: Date): SealedKey {
  const signing = ring.keys.filter((key) => key.activeFrom !== null);
  const active = signing.findLast(({ activeFrom }) => activeFrom !== null && activeFrom <= now) ?? signing[0];
  if (!active) throw new Error('the ring has no key that may sign yet');
  return active;
}

/** A ring of two new keys: one signs from now on, the other is announced. */
export function newKeyRing(first: UnusedKey, next: UnusedKey): KeyRing {
  return {
    keys: [
      { ...first, activeFrom: first.createdAt },
      { ...next, activeFrom: null },
    ],
  };
}

/**
 * Rotates the keys: the next key signs as soon as it has been announced for a minute, and `fresh` becomes the next key.
 * Drops retired keys once the last access token that they signed has expired. The ring stays unchanged while an earlier
 * rotation is waiting.
 */
export function rotate(
  ring: KeyRing,
  fresh: UnusedKey,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): KeyRing {
  if (ring.keys.some((key) => key.activeFrom !== null && key.activeFrom > now)) return ring;
  const keys = publishedKeys(ring, { now, accessSeconds }).map((key) =>
    key.activeFrom === null
      ? { ...key, activeFrom: new Date(Math.max(now.getTime(), key.createdAt.getTime() + announcedMs)) }
      : key,
  );
  return { keys: [...keys, { ...fresh, activeFrom: null }] };
}

/** The keys that verifiers get: all except keys whose last access token has expired more than a minute ago. */
export function publishedKeys(
  ring: KeyRing,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): readonly SealedKey[] {
  return ring.keys.filter((_key, index) => {
    const successor = ring.keys[index + 1]?.activeFrom ?? null;
    return successor === null || now.getTime() < successor.getTime() + accessSeconds * 1000 + announcedMs;
  });
}
