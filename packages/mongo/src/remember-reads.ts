interface Options {
  /** The largest age of a returned document in milliseconds. */
  readonly forMs: number;
  /** How many documents are remembered at most. Beyond that, the documents that were read longest ago are forgotten. */
  readonly atMost: number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicNow?: () => number;
}

// After this share of its time a document is read again, while callers still get the remembered one. Otherwise all
// callers would wait at the end of each document's time.
const readAgainAfter = 0.75;

/** Reads documents by their ids. `forget` has the next call read a document anew, whose change is known to the caller. */
type RememberedReads<Document> = ((ids: Iterable<string>) => Promise<ReadonlyMap<string, Document>>) & {
  readonly forget: (id: string) => void;
};

/**
 * Reads documents by their ids, and remembers them for a short time, counted from the beginning of the read. Callers of
 * a document that is being read wait for that read. A document that is requested near the end of its time is read again
 * before the time is over. An id that was not found is read again each time, so that a new document is found at once.
 *
 * Several callers may get the same object, so it must not be changed. The result has no entry for an id that does not
 * exist.
 */
export function rememberReads<Document extends object>(
  read: (id: string) => Promise<Document | null>,
  { forMs, atMost, monotonicNow = () => performance.now() }: Options,
): RememberedReads<Document> {
  const remembered = new Map<string, { readonly document: Document; readonly until: number }>();
  const underWay = new Map<string, { readonly reading: Promise<Document | null>; readonly until: number }>();

  async function readShared(id: string, now: number): Promise<Document | null> {
    const reading = readingOf(id, now);
    // If the shared read found nothing, it may have begun before the document existed.
    return (reading && (await reading)) ?? readAnew(id, now + forMs);
  }

  /** Returns the running read of the document, unless it began too long ago. */
  function readingOf(id: string, now: number): Promise<Document | null> | undefined {
    const shared = underWay.get(id);
    return shared !== undefined && now < shared.until ? shared.reading : undefined;
  }

  async function readAnew(id: string, until: number): Promise<Document | null> {
    const mine = { reading: read(id), until };
    underWay.set(id, mine);
    try {
      const document = await mine.reading;
      // A read that was forgotten may have begun before the document changed.
      if (document !== null && underWay.get(id) === mine) remember(id, document, until);
      return document;
    } finally {
      if (underWay.get(id) === mine) underWay.delete(id);
    }
  }

  function readAhead(id: string, now: number): void {
    if (readingOf(id, now) !== undefined) return;
    // No caller waits for this read, so its failure is not reported. After the document's time is over, the next caller
    // reads the document again.
    readAnew(id, now + forMs).catch(() => undefined);
  }

  function remember(id: string, document: Document, until: number): void {
    // A read that began later may have ended earlier. Its document is newer and stays.
    if ((remembered.get(id)?.until ?? 0) > until) return;
    remembered.delete(id);
    remembered.set(id, { document, until });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= atMost) return;
      remembered.delete(oldest);
    }
  }

  async function find(ids: Iterable<string>): Promise<ReadonlyMap<string, Document>> {
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
  }

  return Object.assign(find, {
    forget(id: string) {
      remembered.delete(id);
      underWay.delete(id);
    },
  });
}
