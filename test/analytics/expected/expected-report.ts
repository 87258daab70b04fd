import { engagementHttp } from '@storefront/contracts';
import { clockOf, dateBefore, daysBetween, intervalsOf, type Stretch } from './calendar.ts';
import { followUpsOf, type FollowUps } from './follow-ups.ts';
import type { Happened, Segment, What } from './happened.ts';
import { measuresOf, type Measures } from './measures.ts';
import { isAboutThings, type Question, type ReportName } from './question.ts';

/** The zone of the shop: engagement keeps its days. */
export const shopZone = 'Europe/Berlin';

/** What a report must say, but for the time as of which it is and the names of products and campaigns. */
export interface ExpectedReport {
  /** Rows by what identifies them. */
  readonly rows: ReadonlyMap<string, Measures>;
  readonly totals: Measures;
  readonly previous?: { readonly from: string; readonly to: string; readonly totals: Measures };
}

/** What happened, in the order of time, with what came of it. */
export interface Known {
  readonly all: readonly Happened[];
  readonly followUps: FollowUps;
}

export function knownOf(happened: readonly Happened[]): Known {
  return {
    all: withShownTexts(happened).toSorted((one, other) => one.at - other.at),
    followUps: followUpsOf(happened),
  };
}

/** What fewer than five people have searched for is `other`. */
function withShownTexts(happened: readonly Happened[]): readonly Happened[] {
  const byText = Map.groupBy(
    happened.filter(({ what }) => what === 'searched'),
    ({ of }) => of,
  );
  const isHidden = (text: string) => new Set(byText.get(text)?.flatMap(({ who }) => who ?? [])).size < 5;
  return happened.map((each) => (each.what === 'searched' && isHidden(each.of) ? { ...each, of: 'other' } : each));
}

/** The report over what is known, as it is now. It looks at everything for each row. */
export function expectedReport({ all: known, followUps }: Known, question: Question, now = Date.now()): ExpectedReport {
  const { report, from, to, timezone, currency, window = 7, productId, comparesPrevious } = question;
  // All figures of a report about variants are of one product.
  const all =
    productId === undefined
      ? known
      : known.filter(({ what, of }) => !what.startsWith('variant') || of.split(' ')[0] === productId);
  const shopClock = clockOf(shopZone);
  const isOfThings = isAboutThings(report);
  const owed = all.filter(({ what }) => what === 'owed');
  const rowSegments = question.segment ? [question.segment] : engagementHttp.reports[report].segments;
  const within = ({ start, end }: Stretch, some: readonly Happened[]) =>
    some.filter(({ at }) => start <= at && at < end);
  const ofSegments = (some: readonly Happened[], which: readonly Segment[]) =>
    some.filter(({ segment }) => which.includes(segment));

  function measure(some: readonly Happened[], stretch: Stretch, which: readonly Segment[]) {
    const owedBefore = ofSegments(
      owed.filter(({ at }) => at < stretch.end),
      which,
    );
    return measuresOf(report, {
      happened: ofSegments(some, which),
      owedBefore,
      // Invoices grow older at midnight of the shop, whoever asks. At a time that is not over they are as old as now.
      lastDate: shopClock(Math.min(stretch.end - 1, now)).date,
      currency,
      window,
      followUps,
    });
  }

  function totalsOf(first: string, last: string): Measures {
    const days = intervalsOf(first, last, 'day', timezone);
    const whole = { start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 };
    return measure(within(whole, all), whole, rowSegments);
  }

  const days = intervalsOf(from, to, 'day', timezone);
  const whole = { start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0, label: from };
  const things = isOfThings ? thingsOf(report, within(whole, all), currency) : [''];
  const intervals =
    isOfThings && !question.interval ? [whole] : intervalsOf(from, to, question.interval ?? 'day', timezone);
  const rows = new Map<string, Measures>();
  for (const interval of intervals) {
    const inInterval = within(interval, all);
    for (const thing of things) {
      const ofThing = isOfThings ? inInterval.filter((each) => isOf(report, each, thing)) : inInterval;
      for (const segment of rowSegments)
        rows.set(rowKey(interval.label, segment, thing), measure(ofThing, interval, [segment]));
    }
  }
  const before = { from: dateBefore(from, daysBetween(from, to)), to: from };
  return {
    rows,
    totals: totalsOf(from, to),
    ...(comparesPrevious && { previous: { ...before, totals: totalsOf(before.from, before.to) } }),
  };
}

export function rowKey(start: string, segment: string, thing: string): string {
  return [start, segment, thing].join(' | ');
}

const aboutThings: Partial<Record<ReportName, readonly What[]>> = {
  products: ['viewed', 'wished', 'sold', 'taken back'],
  variants: ['variant wished', 'variant sold', 'variant taken back'],
  campaigns: ['redeemed', 'withdrawn', 'released'],
  notifications: ['requested', 'delivered', 'failed', 'suppressed', 'read'],
  searches: ['searched'],
};

function isOf(report: ReportName, { what, of }: Happened, thing: string): boolean {
  return of === thing && (aboutThings[report] ?? []).includes(what);
}

/**
 * The things of which anything happened; a sum of money is of its currency alone. A campaign or a product of which everything that
 * was taken was given back within the time is none of them.
 */
function thingsOf(report: ReportName, happened: readonly Happened[], currency: string): string[] {
  const isMoney = (what: What) => signs[what] !== undefined;
  const about = happened
    .filter(({ what }) => (aboutThings[report] ?? []).includes(what))
    .filter((each) => !isMoney(each.what) || each.currency === currency);
  return [...Map.groupBy(about, ({ of }) => of)].flatMap(([thing, some]) => (isAllGivenBack(some) ? [] : [thing]));
}

/** What is taken counts up, what is given back down. */
const signs: Partial<Record<What, 1 | -1>> = {
  sold: 1,
  'taken back': -1,
  'variant sold': 1,
  'variant taken back': -1,
  redeemed: 1,
  withdrawn: -1,
  released: -1,
};

function isAllGivenBack(happened: readonly Happened[]): boolean {
  const sums = new Map<string, number>();
  for (const { what, segment, amounts } of happened) {
    const sign = signs[what];
    if (sign === undefined) return false;
    const redemptions = what === 'redeemed' || what === 'released' ? 1 : 0;
    for (const [name, amount] of Object.entries({ ...amounts, redemptions })) {
      const sum = `${segment} ${name}`;
      sums.set(sum, (sums.get(sum) ?? 0) + sign * amount);
    }
  }
  return [...sums.values()].every((sum) => sum === 0);
}
