interface Options {
  /** How old, in milliseconds, what a read answers may be. */
  readonly forMs: number;
  /** How many documents are remembered; beyond that, those that were read longest ago are forgotten. */
  readonly atMost: number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicNow?: () => number;
}

// The share of the time after which a document is read again, while callers still get the remembered one: otherwise all
// its callers would wait whenever the time is over.
const readAgainAfter = 0.75;

/**
 * Reads documents by their ids, and remembers them for a short time, counted from the beginning of the read. While a
 * document is being read, callers wait for that read instead of beginning another one. A document that is requested
 * towards the end of its time is read again before that is over. An id that was not found is read again each time, so
 * that a new document is found at once. Callers may get the same object: it must not be changed. The answer has no
 * entry for an id that does not exist.
 */
export function rememberReads<Document extends object>(
  read: (id: string) => Promise<Document | null>,
  { forMs, atMost, monotonicNow = () => performance.now() }: Options,
): (ids: Iterable<string>) => Promise<ReadonlyMap<string, Document>> {
  const remembered = new Map<string, { readonly document: Document; readonly until: number }>();
  const underWay = new Map<string, { readonly reading: Promise<Document | null>; readonly until: number }>();

  async function readShared(id: string, now: number): Promise<Document | null> {
    const reading = readingOf(id, now);
    // It may have begun before the document existed.
    return (reading && (await reading)) ?? readAnew(id, now + forMs);
  }

  /** The read of the document that is under way, unless it began too long ago. */
  function readingOf(id: string, now: number): Promise<Document | null> | undefined {
    const shared = underWay.get(id);
    return shared !== undefined && now < shared.until ? shared.reading : undefined;
  }

  async function readAnew(id: string, until: number): Promise<Document | null> {
    const mine = { reading: read(id), until };
    underWay.set(id, mine);
    try {
      const document = await mine.reading;
      if (document !== null) remember(id, document, until);
      return document;
    } finally {
      if (underWay.get(id) === mine) underWay.delete(id);
    }
  }

  function readAhead(id: string, now: number): void {
    if (readingOf(id, now) !== undefined) return;
    // No caller waits for this read, so its failure is not reported: the next caller after the time is over reads by itself.
    readAnew(id, now + forMs).catch(() => undefined);
  }

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
      if (entry === undefined || now >= entry.until) {
        missing.add(id);
        continue;
      }
      found.set(id, entry.document);
      if (entry.until - now <= forMs * (1 - readAgainAfter)) readAhead(id, now);
    }
    await Promise.all(
      Array.from(missing, async (id) => {
        const document = await readShared(id, now);
        if (document !== null) found.set(id, document);
      }),
    );
    return found;
  };
}
