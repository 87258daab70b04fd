/** The clock of a service under test: the real time, moved ahead or stopped. */
export interface TestClock {
  readonly now: () => Date;
  /** Moves the time ahead. */
  readonly advance: (seconds: number) => void;
  /** Stops the time while `work` runs, so that only `advance` moves it, however slow the machine is. */
  readonly atOneMoment: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export function createTestClock(): TestClock {
  let aheadMs = 0;
  let heldMs: number | null = null;
  return {
    now: () => new Date((heldMs ?? Date.now()) + aheadMs),
    advance: (seconds) => void (aheadMs += seconds * 1000),
    async atOneMoment(work) {
      heldMs = Date.now();
      try {
        return await work();
      } finally {
        heldMs = null;
      }
    },
  };
}
