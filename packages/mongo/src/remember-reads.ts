interface Options {
  /** How old, in milliseconds, what a read answers may be. */
  readonly forMs: number;
  /** How many documents are remembered; beyond that, those that were read longest ago are forgotten. */
  readonly atMost: number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicNow?: () => number;
}

/**
 * Reads documents by their ids, and remembers them for a short time, counted from the beginning of the read. What was not
 * found is asked for anew each time, so that what is new is found at once. Callers may get the same object: it must not
 * be changed. The answer has no entry for an id that does not exist.
 */
export function rememberReads<Document extends object>(
  read: (id: string) => Promise<Document | null>,
  { forMs, atMost, monotonicNow = () => performance.now() }: Options,
): (ids: Iterable<string>) => Promise<ReadonlyMap<string, Document>> {
  const remembered = new Map<string, { readonly document: Document; readonly until: number }>();

  function remember(id: string, document: Document, until: number): void {
    // A read that began later may have ended earlier.
    if ((remembered.get(id)?.until ?? 0) > until) return;
    remembered.delete(id);
    remembered.set(id, { document, until });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= atMost) return;
      remembered.delete(oldest);
    }
  }

  return async (ids) => {
    const now = monotonicNow();
    const found = new Map<string, Document>();
    const missing = new Set<string>();
    for (const id of ids) {
      const entry = remembered.get(id);
      if (entry !== undefined && now < entry.until) found.set(id, entry.document);
      else missing.add(id);
    }
    await Promise.all(
      Array.from(missing, async (id) => {
        const document = await read(id);
        if (document === null) return;
        found.set(id, document);
        remember(id, document, now + forMs);
      }),
    );
    return found;
  };
}
