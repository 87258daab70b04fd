/** A signing key as it is stored, with its private part encrypted. */
export interface SealedKey {
  readonly kid: string;
  readonly sealed: string;
  readonly createdAt: Date;
  /** When it begins to sign; null while it is only announced. */
  readonly activeFrom: Date | null;
}

/** A key that is not part of a ring yet. */
export type UnusedKey = Omit<SealedKey, 'activeFrom'>;

/**
 * All signing keys, oldest first: the retired ones, the active one, and the next one, which verifiers know before it signs.
 * Which key is which depends on the time alone, so all instances with the same ring agree.
 */
export interface KeyRing {
  readonly keys: readonly SealedKey[];
}

// Twice as long as verifiers take to fetch unknown keys, and instances to read the ring again.
const announcedMs = 60_000;

/** The key that signs at that time; the oldest one where the clock is behind the clock of the instance that made the ring. */
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
 * The next key signs as soon as it has been announced for a minute, and `fresh` becomes the next one. Retired keys are
 * dropped once the last access token they signed has expired. The ring stays as it is while an earlier rotation is waiting.
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

/** The keys that verifiers get: all but those that retired longer ago than an access token lives. */
export function publishedKeys(
  ring: KeyRing,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): readonly SealedKey[] {
  return ring.keys.filter((_key, index) => {
    const successor = ring.keys[index + 1]?.activeFrom ?? null;
    return successor === null || now.getTime() < successor.getTime() + accessSeconds * 1000 + announcedMs;
  });
}
