import type { Interval } from './roll-ups.ts';
import type { DayIndex, ShopDays } from './shop-days.ts';

/** How many days are added up together. A span of `n` days with the index `i` begins at the day `n * i`. */
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

/** Spans and quarters that together contain each moment of an interval exactly once, and no other moment. */
export interface SplitInterval {
  readonly spans: readonly Span[];
  readonly quarters: readonly QuarterRange[];
}

/** The span of `days` days that contains the day. */
export function spanWith(day: DayIndex, days: SpanLength): Span {
  return { days, index: Math.floor(day / days) };
}

/**
 * Splits an interval into as few spans as possible. Days that are only partly in the interval are split into quarters.
 * A start or end within a quarter counts as the start of that quarter.
 */
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

/** The spans that together have exactly the days from `from` on and before `to`. */
function spansOf(from: DayIndex, to: DayIndex): Span[] {
  const spans: Span[] = [];
  for (let day = from; day < to;) {
    const days = spanLengths.findLast((length) => day % length === 0 && day + length <= to) ?? 1;
    spans.push(spanWith(day, days));
    day += days;
  }
  return spans;
}
