/** What was started and has to be ended, the last first. */
export interface Closers {
  add(close: () => Promise<unknown>): void;
  /** Ends everything that was added so far; what fails to end doesn't keep the rest from ending. Any number of calls. */
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const open: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = open.pop(); close; close = open.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }

  return {
    add: (close) => void open.push(close),
    closeAll: () => (closing ??= closeAll().finally(() => (closing = undefined))),
  };
}
