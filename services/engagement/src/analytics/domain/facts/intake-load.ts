// Twice as many a second as reports have to show within 5 s.
const highFrom = 1000;
const longestMs = 30_000;

/**
 * Whether clients send so many events that counting should wait: counting takes as much of the processors as the answers do. The load is
 * high until a second with fewer events is over, but for no longer than 30 s: reports lag no more than that by it.
 */
export interface IntakeLoad {
  note(events: number): void;
  isHigh(): boolean;
}

export function watchIntakeLoad(monotonic: () => number = () => performance.now()): IntakeLoad {
  /** How many events there were in the last second that had any, and in the one before. */
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
