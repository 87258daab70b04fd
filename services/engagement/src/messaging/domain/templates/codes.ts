import type { WordsInput } from '../languages/language.ts';
import type { MailBlock, MailContent } from '../layout.ts';
import type { Named } from './account.ts';
import { compose, wordsOf, type Writing } from './compose.ts';

/** The codes that identity encrypted for a mail. */
export interface OpenedCode {
  /** A code of six digits or 43 characters; null where the mail has only a link. */
  readonly code: string | null;
  /** The code in the mail's link; null where the mail has no link. */
  readonly link: string | null;
}

/** A one-time code, decrypted while its mail is written. */
export interface PlainCode extends OpenedCode {
  /** When the link expires or, in a mail without a link, the code. */
  readonly expiresAt: Date;
}

/** The data by which a reader recognizes the registration. The name is null where it does not look like a name. */
export interface RegistrationMail {
  readonly registeredAs: string | null;
  readonly registeredAt: string;
}

// Anybody can register with another person's address and could send that person a message in this way. So these mails
// repeat only the part of the name that `registeredAs` returns, and nothing about the business.

const registration =
  (name: 'verification-code' | 'trade-application-received') =>
  (data: RegistrationMail, { code, expiresAt }: PlainCode, writing: Writing): MailContent => {
    const { formats } = writing;
    const words = wordsOf(writing, name, {
      digits: digitsOf(code),
      registeredAs: data.registeredAs,
      registeredAt: formats.time(new Date(data.registeredAt)),
      until: formats.time(expiresAt),
    });
    return compose(writing, words, { main: codeBlock(code) });
  };
export const verificationCode = registration('verification-code');
export const tradeApplicationReceived = registration('trade-application-received');

export function passwordResetCode(
  { digitsExpireAt }: { readonly digitsExpireAt: string },
  { code, link, expiresAt }: PlainCode,
  writing: Writing,
): MailContent {
  const { formats } = writing;
  const words = wordsOf(writing, 'password-reset-code', {
    digits: code,
    hasLink: link !== null,
    digitsUntil: formats.time(new Date(digitsExpireAt)),
    linkUntil: formats.time(expiresAt),
  });
  const main = codeBlock(code);
  return compose(writing, words, link === null ? { main } : { main, path: `/password/reset#code=${link}` });
}

export function emailChangeCode(_data: unknown, { code, expiresAt }: PlainCode, writing: Writing): MailContent {
  const input = { digits: digitsOf(code), until: writing.formats.time(expiresAt) };
  return compose(writing, wordsOf(writing, 'email-change-code', input), { main: codeBlock(code) });
}

/** The mail to the former address. It does not name the new address, which its reader need not know. */
export function emailChangeNotice({ firstName }: Named, code: PlainCode, writing: Writing): MailContent {
  const words = wordsOf(writing, 'email-change-notice', { until: untilOf(code, writing) });
  return compose(writing, words, { firstName, path: wayBack(code) });
}

/** The mail about a changed password, with a link that undoes the change. */
export function passwordNotice({ firstName }: Named, code: PlainCode, writing: Writing): MailContent {
  const words = wordsOf(writing, 'password-notice', { until: untilOf(code, writing) });
  return compose(writing, words, { firstName, path: wayBack(code) });
}

/** The mail about a changed second factor, with a link that undoes the change. */
export function secondFactorNotice(
  { firstName, change }: Named & Pick<WordsInput['second-factor-notice'], 'change'>,
  code: PlainCode,
  writing: Writing,
): MailContent {
  const words = wordsOf(writing, 'second-factor-notice', { change, until: untilOf(code, writing) });
  return compose(writing, words, { firstName, path: wayBack(code) });
}

const wayBack = ({ link }: PlainCode) => `/changes/revert#token=${link ?? ''}`;
const untilOf = ({ expiresAt }: PlainCode, { formats }: Writing) => formats.time(expiresAt);

const longestFirstName = 20;

/**
 * Returns the part of a name that is enough to tell two registrations apart but too short for a message: the first word
 * of the first name, and the first letter of the last name. Null where the first name does not look like a name.
 */
export function registeredAs(firstName: string, lastName: string): string | null {
  const [word] = /^[\p{L}\p{M}’'-]+/u.exec(firstName) ?? [];
  if (word === undefined || Array.from(word).length > longestFirstName) return null;
  const [initial] = /^\p{L}/u.exec(lastName) ?? [];
  return initial === undefined ? word : `${word} ${initial}.`;
}

function codeBlock(code: string | null): MailBlock[] {
  return code === null ? [] : [{ kind: 'code', code }];
}

/** A code of six digits is part of the subject, so that the reader sees it at once. A long code is not. */
function digitsOf(code: string | null): string | null {
  return code !== null && code.length === 6 ? code : null;
}
