import { language } from './language/index.ts';

/** An amount in minor units. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

const locale = language === 'de' ? 'de-DE' : 'en-GB';

// A format takes longer to make than a hundred numbers to write.
const currencies = new Map<string, Intl.NumberFormat>();
const numbers = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

function formatOf(currency: string): Intl.NumberFormat {
  const known = currencies.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
  currencies.set(currency, known);
  return known;
}

/** The number of digits after the point of a currency. */
const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

export function money(value: Money | null | undefined): string {
  if (!value) return '–';
  const digits = digitsOf(value.currency);
  // As text, so that no digit is lost.
  return formatOf(value.currency).format(`${value.amount}e-${digits}` as Intl.StringNumericLiteral);
}

/** The amount as somebody types it, such as `12.50`. */
export function typedAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const typed = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return amount < 0 ? `-${typed}` : typed;
}

/** Minor units of what somebody typed with a point or a comma; null where it is no amount of the currency. */
export function parseAmount(text: string, currency: string): number | null {
  const digits = digitsOf(currency);
  const [, sign, whole, part = ''] = /^\s*(-?)(\d{1,12})(?:[.,](\d+))?\s*$/.exec(text) ?? [];
  if (whole === undefined || part.length > digits) return null;
  return Number(`${sign}${whole}${part.padEnd(digits, '0')}`);
}

export const number = (value: number): string => numbers.format(value);

export const percent = (value: number): string => percents.format(value);

let formats = formatsIn(undefined);

/** All times are shown, and typed, in this time zone from now on: that of the shop, wherever one sits. */
export function setTimeZone(timeZone: string): void {
  if (formats.timeZone !== timeZone) formats = formatsIn(timeZone);
}

function formatsIn(timeZone: string | undefined) {
  const zone = timeZone && { timeZone };
  return {
    timeZone,
    dateTimes: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone }),
    times: new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...zone }),
    dates: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone }),
    // Swedish English writes times as ISO 8601 does, with a blank in place of the T.
    iso: new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', ...zone }),
  };
}

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** In a narrow column it breaks only before the time. */
export const dateTime = (value: string | null | undefined): string =>
  value ? unbroken(formats.dateTimes.format(new Date(value))) : '–';

const unbroken = (text: string): string => text.replaceAll(/(?<!,) /g, '\u00A0');

/** The time of a moment, to the second. */
export const timeOfDay = (value: string): string => formats.times.format(new Date(value));

/** The day of a time; or a day of the calendar, which is the same everywhere. */
export const date = (value: string | null | undefined): string =>
  value ? unbroken((value.length === 10 ? days : formats.dates).format(new Date(value))) : '–';

const dayMs = 86_400_000;

/** The day of that time, as `2026-11-21`. */
export const dayOf = (at: Date): string => formats.iso.format(at).slice(0, 10);

/** The day that many days from today, as `2026-11-21`. */
export const dayFromToday = (difference: number): string => dayOf(new Date(Date.now() + difference * dayMs));

/** The first moment of a day. */
export const startOfDay = (day: string): string => instantOf(`${day}T00:00`);

/**
 * The moment at which a clock of the shop shows `2026-11-21T09:30`: the first one where it does so twice. Of a time that the clock
 * skips, it is the moment at which it would show it had it not been put forward.
 */
export function instantOf(local: string): string {
  const wanted = Date.parse(`${local}Z`);
  const shownAt = (at: number) => Date.parse(`${formats.iso.format(at).replace(' ', 'T')}Z`);
  // By what the clock is off on the day before, and on the day after: in between it may have been put forward or back.
  const [before, after] = [wanted - dayMs, wanted + dayMs].map((at) => wanted - (shownAt(at) - at)) as [number, number];
  return new Date(shownAt(before) !== wanted && shownAt(after) === wanted ? after : before).toISOString();
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago, such as `3 hours ago`. */
export function ago(value: string, now = Date.now()): string {
  const seconds = (Date.parse(value) - now) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return relative.format(Math.trunc(seconds / size), unit);
}
