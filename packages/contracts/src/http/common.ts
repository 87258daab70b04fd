import { z } from 'zod';

// Control characters, and halves of surrogate pairs, have no place in a name and break logs, mails and CSV files.
const unprintable = /[\p{Cc}\p{Cs}]/u;
const unprintableButLines = /[\p{Cs}]|(?![\n\t])[\p{Cc}]/u;

/** One line of text: trimmed, composed (NFC), without control characters. */
export function line(max: number, min = 1) {
  return z
    .string()
    .max(max * 4)
    .transform((text) => text.trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(min)
        .max(max)
        .refine((text) => !unprintable.test(text), { error: 'must not contain control characters' }),
    );
}

/** Text of several lines: trimmed, composed (NFC), no control characters but line ends and tabs. */
export function text(max: number, min = 1) {
  return z
    .string()
    .max(max * 4)
    .transform((value) => value.replaceAll('\r\n', '\n').trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(min)
        .max(max)
        .refine((value) => !unprintableButLines.test(value), { error: 'must not contain control characters' }),
    );
}

/** A single email address, lower case. Quoted local parts are refused: they exist to smuggle. */
export const emailAddress = z
  .string()
  .max(320)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email().max(254))
  .meta({ examples: ['ada@example.com'] });

/** A time as the API writes it: RFC 3339 UTC with milliseconds. */
export const timestamp = z.iso.datetime().meta({ examples: ['2026-11-21T09:30:00.000Z'] });

/** Money: integer minor units and an ISO 4217 currency. */
export const money = z
  .strictObject({ amount: z.int().min(0).max(1_000_000_000_000), currency: z.string().regex(/^[A-Z]{3}$/) })
  .meta({ examples: [{ amount: 1999, currency: 'EUR' }] });

export type Money = z.infer<typeof money>;

/** The query of every list. Values arrive as text. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(1024).optional(),
};

/** The answer of every list. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

/** Where a reason is given, it is written for the person it concerns. */
export const reason = text(1000);
