/** Calls `read` for `key`, or shares the read of another caller. */
export type SingleFlight<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

interface Flight<Result> {
  readonly underWay: Promise<Result>;
  next: Promise<Result> | undefined;
}

/**
 * Callers with the same `key` share one read. Callers that come during a read wait for its end and then share the next
 * read. A caller's read always begins after its call, so no caller gets a state older than its call, and nothing is
 * cached. If a read fails, the callers that wait for the next read get the same error.
 */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function begin(key: string, read: () => Promise<Result>): Promise<Result> {
    const underWay = read();
    const flight: Flight<Result> = { underWay, next: undefined };
    flights.set(key, flight);
    const end = () => {
      if (flight.next === undefined) flights.delete(key);
    };
    underWay.then(end, end);
    return underWay;
  }

  return (key, read) => {
    const flight = flights.get(key);
    if (flight === undefined) return begin(key, read);
    flight.next ??= flight.underWay.then(
      () => begin(key, read),
      (error: unknown) => {
        flights.delete(key);
        throw error;
      },
    );
    return flight.next;
  };
}
