import type { MailBlock, MailContent, Shop } from '../layout.ts';
import { formatTime, paragraph } from './phrases.ts';

/** What identity encrypted for a mail. */
export interface OpenedCode {
  /** Six digits, or 43 characters; null where the mail has a link only. */
  readonly code: string | null;
  /** The code of a link. */
  readonly link: string | null;
}

/** A one-time code, decrypted while its mail is written. */
export interface PlainCode extends OpenedCode {
  /** Of the link where there is one, else of the code. */
  readonly expiresAt: Date;
}

/** Which registration a code is for, as far as that is known. */
export interface RegistrationMail {
  readonly registeredAs: string | null;
  readonly registeredAt: string | null;
}

// Anybody can register with another person's address, so these mails repeat nothing that could carry a message: of the
// name no more than `registeredAs` leaves, and nothing of the business.

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
 * As much of a name as distinguishes two registrations and can't be a message: the first word of the first name, and
 * the first letter of the last name. Null where the first name is no name.
 */
export function registeredAs(firstName: string, lastName: string): string | null {
  const [word] = /^[\p{L}\p{M}’'-]+/u.exec(firstName) ?? [];
  if (word === undefined || Array.from(word).length > longestFirstName) return null;
  const [initial] = /^\p{L}/u.exec(lastName) ?? [];
  return initial === undefined ? word : `${word} ${initial}.`;
}

/** ` of Ada L. at 09:40 UTC on 21 November`, as far as that is known. */
function described({ registeredAs: name, registeredAt }: RegistrationMail): string {
  return `${name === null ? '' : ` of ${name}`}${registeredAt === null ? '' : ` at ${formatTime(new Date(registeredAt))}`}`;
}

function codeBlock(code: string | null): MailBlock[] {
  return code === null ? [] : [{ kind: 'code', code }];
}

/** Six digits stand in the subject, so that they are seen at once; a long code does not. */
function subjectOf(code: string | null): string {
  return code !== null && code.length === 6 ? code : 'Below';
}
