import { z } from 'zod';

/** The languages of mails and notifications. Each has a file in engagement with all of its sentences. */
export const locale = z.enum(['en', 'de']);
export type Locale = z.infer<typeof locale>;

/** How a person wants to be written to. A field is missing where the person has chosen nothing: then the shop's holds. */
export const reading = {
  locale: locale.optional(),
  /** A name of the IANA list of time zones. */
  timeZone: z.string().optional(),
};

export interface Reading {
  readonly locale?: Locale | undefined;
  readonly timeZone?: string | undefined;
}

/** Returns of all that is known about a person only how the person wants to be written to. */
export function readingOf({ locale, timeZone }: Reading): { locale?: Locale; timeZone?: string } {
  return { ...(locale !== undefined && { locale }), ...(timeZone !== undefined && { timeZone }) };
}
