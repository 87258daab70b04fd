/** Reads that were asked for by several and made once. */
export type SharedReads<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

interface Place<Result> {
  readonly underWay: Promise<Result>;
  next: Promise<Result> | undefined;
}

/**
 * Lets those who ask for the same, by `key`, at the same time share one read: while one is under way, all who ask
 * meanwhile wait for it to end and then share the next. A read always begins after it was asked for, so nothing is kept
 * and nobody is given something older than what was acknowledged before. Where the one before fails, so does the next.
 */
export function createSharedReads<Result>(): SharedReads<Result> {
  const places = new Map<string, Place<Result>>();

  function begin(key: string, read: () => Promise<Result>): Promise<Result> {
    const underWay = read();
    const place: Place<Result> = { underWay, next: undefined };
    places.set(key, place);
    const end = () => {
      if (place.next === undefined) places.delete(key);
    };
    underWay.then(end, end);
    return underWay;
  }

  return (key, read) => {
    const place = places.get(key);
    if (place === undefined) return begin(key, read);
    place.next ??= place.underWay.then(
      () => begin(key, read),
      (error: unknown) => {
        places.delete(key);
        throw error;
      },
    );
    return place.next;
  };
}
