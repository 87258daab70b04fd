import type { MailBlock, MailContent, Shop } from '../layout.ts';
import { formatTime, paragraph } from './phrases.ts';

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

export function verificationCode(data: RegistrationMail, { code, expiresAt }: PlainCode): MailContent {
  return {
    subject: `${subjectOf(code)} is your code`,
    blocks: [
      paragraph('Hello,'),
      paragraph(`This is the code for the registration${described(data)} with this email address:`),
      ...codeBlock(code),
      paragraph(`It works once, until ${formatTime(expiresAt)}, and only for this registration.`),
      ...ifSomebodyElse,
    ],
  };
}

export function tradeApplicationReceived(data: RegistrationMail, { code, expiresAt }: PlainCode): MailContent {
  return {
    subject: `${subjectOf(code)} is your code for the trade application`,
    blocks: [
      paragraph('Hello,'),
      paragraph(`This is the code for the application${described(data)} for a trade account with this email address:`),
      ...codeBlock(code),
      paragraph(
        `It works once, until ${formatTime(expiresAt)}, and only for this application. Nobody looks at the ` +
          'application before the code was entered.',
      ),
      ...ifSomebodyElse,
    ],
  };
}

export function passwordResetCode(
  { digitsExpireAt }: { readonly digitsExpireAt: string },
  { code, link, expiresAt }: PlainCode,
  shop: Shop,
): MailContent {
  const byDigits = [
    paragraph('Enter this code where you asked for it:'),
    ...codeBlock(code),
    paragraph(`It works once, until ${formatTime(new Date(digitsExpireAt))}.`),
  ];
  const byLink: MailBlock[] = [
    paragraph(code === null ? 'Open this link to set it:' : 'On another device, open this link instead:'),
    { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/reset#code=${link}` },
    paragraph(`The link works once, until ${formatTime(expiresAt)}.`),
  ];
  return {
    subject: code === null ? 'Set a new password' : `${code} is your code for a new password`,
    blocks: [
      paragraph('Hello,'),
      paragraph('somebody, hopefully you, asked to set a new password for your account.'),
      ...(code === null ? [] : byDigits),
      ...(link === null ? [] : byLink),
      paragraph('If it was not you, ignore this mail and tell the code to nobody: your password stays as it is.'),
    ],
  };
}

export function emailChangeCode(_data: unknown, { code, expiresAt }: PlainCode, shop: Shop): MailContent {
  return {
    subject: `${subjectOf(code)} is your code`,
    blocks: [
      paragraph('Hello,'),
      paragraph(`somebody, hopefully you, wants to use this address for an account at ${shop.name}. This is the code:`),
      ...codeBlock(code),
      paragraph(`It works once, until ${formatTime(expiresAt)}. A newer code replaces it.`),
      paragraph('If it was not you, ignore this mail and tell the code to nobody: without it nothing happens.'),
    ],
  };
}

const ifSomebodyElse = [
  paragraph(
    'Tell the code to nobody, and enter it only if you made this registration yourself. If it was somebody else, ignore ' +
      'this mail: without the code they get no account, and you can register with this address at any time.',
  ),
];

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

/** Returns for example ` of Ada L. at 09:40 UTC on 21 November`. */
function described({ registeredAs: name, registeredAt }: RegistrationMail): string {
  return `${name === null ? '' : ` of ${name}`} at ${formatTime(new Date(registeredAt))}`;
}

function codeBlock(code: string | null): MailBlock[] {
  return code === null ? [] : [{ kind: 'code', code }];
}

/** A code of six digits is part of the subject, so that the reader sees it at once. A long code is not. */
function subjectOf(code: string | null): string {
  return code !== null && code.length === 6 ? code : 'Below';
}
