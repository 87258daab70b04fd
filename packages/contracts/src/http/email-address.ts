import { domainToASCII, domainToUnicode } from 'node:url';
import { z } from 'zod';
import type { StateOf } from '../decision.ts';
import { isVisibleLine } from './characters.ts';

/** An email address that a user enters as their own. */
export const emailForms = z.object({
  /**
   * The address for sending mails and for comparing: in lower case, with its domain in ASCII (`xn--bcher-kva.example`).
   */
  email: z.string(),
  /**
   * The address as the user typed it. Set only if its domain was typed with letters outside ASCII (`bücher.example`).
   */
  emailTyped: z.string().optional(),
});
export type EnteredEmail = StateOf<typeof emailForms>;

/** The email address as its owner typed it. */
export function emailAsTyped({ email, emailTyped }: EnteredEmail): string {
  return emailTyped ?? email;
}

const longestAddress = 254;
const longestLocalPart = 64;
// A dot-atom (RFC 5322). Quoted local parts are refused, because attackers can hide mail headers in them.
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const beyondAscii = /[^\x20-\x7e]/;

const notAnAddress = 'must be an email address, such as ada@example.com';
const localPartBeyondAscii = 'must have only Latin letters, digits and signs of ASCII before the @';

/** Reads an email address. Returns an error message if the text is not an address. */
function readEmail(text: string): EnteredEmail | string {
  const [local = '', typed = '', ...more] = text.trim().split('@');
  const isAscii = !beyondAscii.test(typed);
  const domain = isAscii ? typed.toLowerCase() : toAscii(typed);
  if (more.length > 0 || !isDomain(domain)) return notAnAddress;
  if (beyondAscii.test(local) && isVisibleLine(local)) return localPartBeyondAscii;
  const name = local.toLowerCase();
  const email = `${name}@${domain}`;
  if (!localPart.test(name) || name.length > longestLocalPart || email.length > longestAddress) return notAnAddress;
  return isAscii ? { email } : { email, emailTyped: `${name}@${domainToUnicode(domain)}` };
}

// Converts the domain by UTS 46, nontransitional. UTS 46 ignores invisible characters, so they are refused first, as in
// names.
function toAscii(domain: string): string {
  return isVisibleLine(domain.normalize('NFC')) ? domainToASCII(domain) : '';
}

// The URL parser also accepts IP addresses, underscores, and `xn--` labels that do not encode anything. None of these
// is allowed here.
function isDomain(domain: string): boolean {
  if (!asciiDomain.test(domain)) return false;
  const shown = domainToUnicode(domain);
  return !/(?:^|\.)xn--/.test(shown) && domainToASCII(shown) === domain;
}

/** An email address that a user enters as their own, and later sees as it was typed. */
export const enteredEmail = z
  .string()
  .max(4 * longestAddress)
  .transform((text, context): EnteredEmail => {
    const read = readEmail(text);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'invalid_format', format: 'email', input: text, message: read });
    return z.NEVER;
  })
  .meta({
    format: 'idn-email',
    maxLength: longestAddress,
    description: 'The domain may be international. It is compared in its ASCII form, whichever form was typed.',
    examples: ['ada@example.com'],
  });

/** An email address in a request. The result is in lower case, with its domain in ASCII. */
export const emailAddress: z.ZodType<string, string> = enteredEmail
  .transform(({ email }) => email)
  .meta({
    format: 'idn-email',
    maxLength: longestAddress,
    examples: ['ada@example.com'],
  });

/** An email address in an answer. */
export const shownEmail = z.string().meta({ format: 'idn-email', examples: ['ada@example.com'] });
