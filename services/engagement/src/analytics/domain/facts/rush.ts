// Twice as many a second as reports have to show within 5 s.
const rushFrom = 1000;
const longestMs = 30_000;

/**
 * Whether clients send so many events that counting should wait: it takes as much of the processors as their answers do. A rush lasts until
 * a second is over that had fewer events, but no longer than 30 s: reports lag no more than that by it.
 */
export interface Rush {
  note(events: number): void;
  isOn(): boolean;
}

export function watchRush(monotonic: () => number = () => performance.now()): Rush {
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
    isOn() {
      goOn();
      if (Math.max(events, eventsBefore) < rushFrom) {
        since = null;
        return false;
      }
      since ??= monotonic();
      return monotonic() - since < longestMs;
    },
  };
}
