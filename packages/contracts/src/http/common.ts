import { z } from 'zod';
import { isVisibleLine, isVisibleProse, withoutInvisible } from './characters.ts';

export * from './email-address.ts';

const unseen = { error: 'must not contain control characters, nor invisible ones or those that change the direction' };

/**
 * One line of text: trimmed, in composed form (NFC), without control characters, and without characters that are
 * invisible or change the direction of writing. Lengths are counted after trimming.
 */
export function line(max: number, min = 1) {
  return z
    .string()
    .max(max * 4)
    .transform((value) => value.trim().normalize('NFC'))
    .pipe(z.string().min(min).max(max).refine(isVisibleLine, unseen))
    .meta({ minLength: min, maxLength: max });
}

/**
 * Text of several lines: trimmed, in composed form (NFC). Of control characters only line ends and tabs are allowed.
 * Characters that are blank or reverse the text are refused; marks of direction and soft hyphens are allowed.
 */
export function text(max: number, min = 1) {
  return z
    .string()
    .max(max * 4)
    .transform((value) => value.replaceAll('\r\n', '\n').trim().normalize('NFC'))
    .pipe(z.string().min(min).max(max).refine(isVisibleProse, unseen))
    .meta({ minLength: min, maxLength: max });
}

/**
 * A line of text from another system. Characters that `line` would refuse are removed, so that the data is not lost
 * because of them.
 */
export function receivedLine(max: number) {
  return z
    .string()
    .max(max * 4)
    .transform(withoutInvisible)
    .pipe(line(max));
}

/** Where the page of a payment provider leads back to. The service also checks whether the shop allows the address. */
export const returnUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .meta({ description: "Where the provider's page leads back to; one of the addresses that the shop allows." });

/** A time as the API writes it: RFC 3339 UTC with milliseconds. */
export const timestamp = z.iso.datetime().meta({ examples: ['2026-11-21T09:30:00.000Z'] });

/** A time in a request, with any UTC offset. */
export const requestTime = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** The name of a time zone of the IANA database, such as `Europe/Amsterdam`. */
export const timeZone = z.string().max(64).refine(isTimeZone, { error: 'must be an IANA time zone' });

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

/** The code of a currency (ISO 4217). */
export const currencyPattern = /^[A-Z]{3}$/;

/** Money: integer minor units and an ISO 4217 currency. */
export const money = z
  .strictObject({
    amount: z.int().min(0).max(1_000_000_000_000).meta({ description: 'In minor units: 1999 is 19.99 EUR.' }),
    currency: z.string().regex(currencyPattern).meta({ description: 'ISO 4217.' }),
  })
  .meta({ id: 'Money', description: 'An amount of money.', examples: [{ amount: 1999, currency: 'EUR' }] });

export type Money = z.infer<typeof money>;

/** An integer in a query, where values arrive as text. Only digits are allowed, so the number is never negative. */
export function digits(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int({ error: 'must be digits' }).min(min).max(max),
  );
}

/** The query parameters of every list. */
export const pageQuery = {
  limit: digits(1, 100)
    .default(20)
    .meta({ description: 'How many items a page has at most.', examples: [50] }),
  cursor: z
    .string()
    .max(1024)
    .optional()
    .meta({
      description: 'The `nextCursor` of the page before, unchanged. Leave it out for the first page.',
      examples: ['WzE3OTUyNTM0MDAwMDAsImlkIl0.kX2vQm8rT1yJcN4bWz0pSg'],
    }),
};

/** The answer of every list. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
  });
}

/** The reason for a decision about a person. */
export const reason = text(1000).meta({
  description: 'The person reads it.',
  examples: ['The VAT number could not be found.'],
});

/** For `.refine`: a request for a change must contain at least one field. */
export const nonEmpty = [
  (change: object) => Object.keys(change).length > 0,
  { error: 'must name at least one field to change' },
] as const;

/** The answer 201 of an operation that creates a resource. */
export function created<Body extends z.ZodType>(body: Body) {
  return { description: 'Created.', body, headers: { Location: 'The path of what was created.' } } as const;
}

/** The field `q` of a list: words that its items begin with. The description says of what. */
export function searchedWords(description: string) {
  return z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description, examples: ['hop'] });
}
