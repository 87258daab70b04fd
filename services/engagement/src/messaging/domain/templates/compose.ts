import type { Reading } from '@storefront/contracts';
import { formatsOf, type Formats } from '../formats.ts';
import type { Language, Words, WordsInput } from '../languages/language.ts';
import { languages } from '../languages/languages.ts';
import type { MailBlock, MailContent, Shop } from '../layout.ts';

/** What a mail or a notification for one reader is written with. */
export interface Writing {
  readonly shop: Shop;
  readonly language: Language;
  readonly formats: Formats;
}

/** Writes as the reader wants to be written to; as the shop does where the reader has chosen nothing. */
export function writingFor(shop: Shop, { locale = shop.locale, timeZone = shop.timeZone }: Reading): Writing {
  const language = languages[locale];
  return { shop, language, formats: formatsOf(language, timeZone) };
}

/** The words of a mail, and of the notification about the same matter. */
export function wordsOf<Name extends keyof WordsInput>(
  { language, shop }: Writing,
  name: Name,
  input: Omit<WordsInput[Name], 'shop'>,
) {
  return language.mails[name]({ ...input, shop: shop.name } as unknown as WordsInput[Name]);
}

/** The title and the text of the notification about the matter of these words. */
export function notificationOf({ subject, opening, notification }: Words): { title: string; body: string } {
  return { title: subject, body: notification ?? opening[0] ?? '' };
}

interface Frame {
  /** Greets the reader by this name where it looks like a name; undefined where it is unknown who reads the mail. */
  readonly firstName?: string;
  readonly main?: readonly MailBlock[];
  /** Where the button leads: the rest of the address of a page of the shop. */
  readonly path?: string;
}

/** Puts the words of a mail in their order around the main thing of the mail. */
export function compose({ shop, language }: Writing, words: Words, { firstName, main = [], path }: Frame): MailContent {
  const { subject, headline = subject, opening, middle = [], button, closing = [] } = words;
  return {
    subject,
    headline,
    preview: opening[0] ?? '',
    blocks: [
      paragraph(language.greeting(firstName !== undefined && plainName.test(firstName) ? firstName : null)),
      ...opening.map(paragraph),
      ...main,
      ...middle.map(paragraph),
      ...(button === undefined || path === undefined
        ? []
        : [{ kind: 'button', label: button, url: shop.url + path } as const]),
      ...closing.map(paragraph),
    ],
  };
}

function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

// Somebody may enter a link or a message as a name, so that the shop mails this text to another person. Such names
// don't match.
const plainName = /^(?!.*\.\S)[\p{L}\p{M}' ’.-]{1,60}$/u;

/** Returns the reason that staff wrote for the reader, as a quote; nothing where there is no reason. */
export function quotedReason({ language }: Writing, reason: string | null): MailBlock[] {
  return reason === null ? [] : [{ kind: 'quote', label: language.quoteLabel, text: reason }];
}
