import type { Block } from './layout.ts';

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

// A name that could pass for a link or a message is somebody's attempt to make us send theirs.
const plainName = /^(?!.*\.\S)[\p{L}\p{M}' ’.-]{1,60}$/u;

/** Greets by the first name, where it looks like one. */
export function greeting(firstName: string): Block {
  return paragraph(plainName.test(firstName) ? `Hello ${firstName},` : 'Hello,');
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** A moment for people: `09:40 UTC on 21 November`. */
export function moment(time: Date): string {
  return `${clock.format(time)} UTC on ${day.format(time)}`;
}

/** What an administrator wrote for the reader, where there is something. */
export function reasonGiven(reason: string | null): Block[] {
  return reason === null ? [] : [paragraph('This is what we were told to tell you:'), { kind: 'quote', text: reason }];
}
