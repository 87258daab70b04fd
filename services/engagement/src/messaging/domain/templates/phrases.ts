import type { MailBlock } from '../layout.ts';

export function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

// Somebody may enter a link or a message as a name, so that the shop mails this text to another person. Such names
// don't match.
const plainName = /^(?!.*\.\S)[\p{L}\p{M}' ’.-]{1,60}$/u;

/** Greets the reader by the first name, or without a name where the first name does not look like a name. */
export function greeting(firstName: string): MailBlock {
  return paragraph(plainName.test(firstName) ? `Hello ${firstName},` : 'Hello,');
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** Formats a time for people, for example `09:40 UTC on 21 November`. */
export function formatTime(time: Date): string {
  return `${clock.format(time)} UTC on ${day.format(time)}`;
}

/** Returns the reason that staff wrote for the reader, as a quote; nothing where there is no reason. */
export function quotedReason(reason: string | null): MailBlock[] {
  return reason === null ? [] : [paragraph('This is what we were told to tell you:'), { kind: 'quote', text: reason }];
}
