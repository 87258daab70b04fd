/** The checks of gateways that wait for an answer: the newest one of each gateway, which answers its older ones too. */
export interface WaitingChecks {
  /** Also for checks that could not be answered: they wait again, unless a newer one has come. */
  add(gateway: string, check: number): void;
  /** All that wait; they wait no longer. */
  take(): ReadonlyMap<string, number>;
  isEmpty(): boolean;
}

// A gateway that starts again is a new one; while nothing can be answered, those that are gone must not pile up.
const mostGateways = 1000;

export function createWaitingChecks(): WaitingChecks {
  let waiting = new Map<string, number>();
  return {
    add(gateway, check) {
      if (!waiting.has(gateway) && waiting.size >= mostGateways) return;
      waiting.set(gateway, Math.max(check, waiting.get(gateway) ?? check));
    },
    take() {
      const taken = waiting;
      waiting = new Map();
      return taken;
    },
    isEmpty: () => waiting.size === 0,
  };
}
