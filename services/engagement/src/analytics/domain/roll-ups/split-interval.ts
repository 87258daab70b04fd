import type { Interval } from './roll-ups.ts';
import type { DayIndex, ShopDays } from './shop-days.ts';

/** How many days are rolled up together. A span of `n` days with the index `i` has the days from `n * i` on. */
export const spanLengths = [1, 4, 16, 64] as const;
export type SpanLength = (typeof spanLengths)[number];

export interface Span {
  readonly days: SpanLength;
  readonly index: number;
}

/** Quarters of an hour of one day, from `from` on and before `to`. */
export interface QuarterRange {
  readonly day: DayIndex;
  readonly from: number;
  readonly to: number;
}

/** Spans and quarters that hold each moment of an interval once, and no other. */
export interface SplitInterval {
  readonly spans: readonly Span[];
  readonly quarters: readonly QuarterRange[];
}

/** The span of that length that has the day. */
export function spanWith(day: DayIndex, days: SpanLength): Span {
  return { days, index: Math.floor(day / days) };
}

/** As few spans as can be; of a day that is not whole, its quarters. An end within a quarter counts as the start of that quarter. */
export function splitInterval({ start, end }: Interval, shopDays: ShopDays): SplitInterval {
  if (start >= end) return { spans: [], quarters: [] };
  const [first, last] = [shopDays.quarterOf(start), shopDays.quarterOf(end)];
  if (first.day === last.day) return { spans: [], quarters: rangeOf(first.day, first.quarter, last.quarter) };
  const isWhole = first.quarter === 0;
  return {
    spans: spansOf(isWhole ? first.day : first.day + 1, last.day),
    quarters: [
      ...(isWhole ? [] : rangeOf(first.day, first.quarter, shopDays.quartersIn(first.day))),
      ...rangeOf(last.day, 0, last.quarter),
    ],
  };
}

function rangeOf(day: DayIndex, from: number, to: number): QuarterRange[] {
  return from < to ? [{ day, from, to }] : [];
}

/** The days from `from` on and before `to`. */
function spansOf(from: DayIndex, to: DayIndex): Span[] {
  const spans: Span[] = [];
  for (let day = from; day < to;) {
    const days = spanLengths.findLast((length) => day % length === 0 && day + length <= to) ?? 1;
    spans.push(spanWith(day, days));
    day += days;
  }
  return spans;
}
