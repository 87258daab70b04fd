/** A signing key as it is kept: its private part sealed. */
export interface SealedKey {
  readonly kid: string;
  readonly sealed: string;
  readonly createdAt: Date;
  /** From when on it signs; null while it is only announced. */
  readonly activeFrom: Date | null;
}

/**
 * All signing keys, oldest first: retired ones, the active one, and the next, which verifiers know before it signs.
 * Which is which follows from the time alone, so that every instance that holds the ring agrees.
 */
export interface Keyring {
  readonly keys: readonly SealedKey[];
}

// Verifiers look for keys they do not know, and instances for a changed ring, within half of this.
const announcedMs = 60_000;

/** The key that signs at a time. */
export function activeKey(ring: Keyring, now: Date): SealedKey {
  const active = ring.keys.findLast((key) => key.activeFrom !== null && key.activeFrom <= now);
  if (!active) throw new Error('the ring has no key that may sign yet');
  return active;
}

/** A ring of two new keys: one signs from now on, the other is announced. */
export function newKeyring(first: Omit<SealedKey, 'activeFrom'>, next: Omit<SealedKey, 'activeFrom'>): Keyring {
  return {
    keys: [
      { ...first, activeFrom: first.createdAt },
      { ...next, activeFrom: null },
    ],
  };
}

/**
 * The next key signs as soon as it has been announced for long enough, and `fresh` becomes the next. Retired keys go once
 * the last access token they signed has run out. A rotation that has not come into force yet is left as it is.
 */
export function rotate(
  ring: Keyring,
  fresh: Omit<SealedKey, 'activeFrom'>,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): Keyring {
  if (ring.keys.some((key) => key.activeFrom !== null && key.activeFrom > now)) return ring;
  const keys = published(ring, { now, accessSeconds }).map((key) =>
    key.activeFrom === null
      ? { ...key, activeFrom: new Date(Math.max(now.getTime(), key.createdAt.getTime() + announcedMs)) }
      : key,
  );
  return { keys: [...keys, { ...fresh, activeFrom: null }] };
}

/** The keys that verifiers are told: all but those retired for longer than an access token lives. */
export function published(
  ring: Keyring,
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): readonly SealedKey[] {
  return ring.keys.filter((_key, index) => {
    const successor = ring.keys[index + 1]?.activeFrom ?? null;
    return successor === null || now.getTime() < successor.getTime() + accessSeconds * 1000 + announcedMs;
  });
}
