import type { MailBlock } from '../layout.ts';

export function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

// A name that looks like a link or a message is an attempt to have the shop send a text of one's own.
const plainName = /^(?!.*\.\S)[\p{L}\p{M}' ’.-]{1,60}$/u;

/** Greets by the first name; without it where it does not look like a name. */
export function greeting(firstName: string): MailBlock {
  return paragraph(plainName.test(firstName) ? `Hello ${firstName},` : 'Hello,');
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** A time as people write it: `09:40 UTC on 21 November`. */
export function formatTime(time: Date): string {
  return `${clock.format(time)} UTC on ${day.format(time)}`;
}

/** The reason that an administrator wrote for the reader; nothing where there is none. */
export function quotedReason(reason: string | null): MailBlock[] {
  return reason === null ? [] : [paragraph('This is what we were told to tell you:'), { kind: 'quote', text: reason }];
}
