// The load is high from this many events per second on. Reports must show events within 5 s at up to half of this load.
const highFrom = 1000;
const longestMs = 30_000;

/**
 * Watches how many events clients send. While the load is high, counting should wait, because counting needs as much of
 * the processors as answering requests does. The load counts as high until a second with fewer events is over, but for
 * at most 30 s. So reports are late by at most 30 s.
 */
export interface IntakeLoad {
  note(events: number): void;
  isHigh(): boolean;
}

export function watchIntakeLoad(monotonic: () => number = () => performance.now()): IntakeLoad {
  /** The current second, the number of events in it so far, and the number of events in the second before. */
  let [second, events, eventsBefore] = [0, 0, 0];
  let since: number | null = null;

  function goOn(): void {
    const present = Math.floor(monotonic() / 1000);
    if (present === second) return;
    [second, events, eventsBefore] = [present, 0, present === second + 1 ? events : 0];
  }

  return {
    note(count) {
      goOn();
      events += count;
    },
    isHigh() {
      goOn();
      if (Math.max(events, eventsBefore) < highFrom) {
        since = null;
        return false;
      }
      since ??= monotonic();
      return monotonic() - since < longestMs;
    },
  };
}
