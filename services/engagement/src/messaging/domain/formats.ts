import { LRUCache } from 'lru-cache';
import { exponentOf, inMajorUnits, type Money } from '@storefront/money';
import type { Language } from './languages/language.ts';

/** Writes amounts and times for a reader: in the language, and in the time zone. */
export interface Formats {
  /** For example `€19.99`. */
  readonly money: (amount: Money) => string;
  /** For example `21 December 2026` for `2026-12-21`. */
  readonly day: (day: string) => string;
  /** A time with its zone, for example `09:40 UTC on 21 November`. */
  readonly time: (time: Date) => string;
}

export function formatsOf({ formats: { money, dates, at } }: Pick<Language, 'formats'>, timeZone: string): Formats {
  return {
    money(amount) {
      const digits = exponentOf(amount.currency);
      const format = new Intl.NumberFormat(money, {
        style: 'currency',
        currency: amount.currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      return format.format(inMajorUnits(amount));
    },
    day(day) {
      const format = dateFormat(dates, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
      return format.format(new Date(`${day}T00:00:00Z`));
    },
    time(time) {
      const day = dateFormat(dates, { timeZone, day: 'numeric', month: 'long' });
      const clock = dateFormat(dates, { timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
      return at(clock.format(time), day.format(time));
    },
  };
}

// To make one takes longer than to write a short mail with it, and most readers are in the same time zone.
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 50,
  memoMethod: (key) => new Intl.DateTimeFormat(...(JSON.parse(key) as [string, Intl.DateTimeFormatOptions])),
});

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormats.memo(JSON.stringify([locale, options]));
}
