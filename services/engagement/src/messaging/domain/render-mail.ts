import type { engagementHttp } from '@storefront/contracts';
import { billingMails } from './billing-messages.ts';
import type { Because } from './languages/language.ts';
import { layOut, type MailContent, type OptOut, type RenderedMail } from './layout.ts';
import { orderMails } from './order-messages.ts';
import { isOptIn } from './preferences.ts';
import { accountMails } from './templates/account.ts';
import {
  emailChangeCode,
  emailChangeNotice,
  passwordNotice,
  passwordResetCode,
  secondFactorNotice,
  tradeApplicationReceived,
  verificationCode,
  type PlainCode,
} from './templates/codes.ts';
import type { Writing } from './templates/compose.ts';
import { customMail } from './templates/custom-mail.ts';

/** The templates of mails with a one-time code. */
const codeTemplates = {
  'verification-code': verificationCode,
  'trade-application-received': tradeApplicationReceived,
  'password-reset-code': passwordResetCode,
  'email-change-code': emailChangeCode,
  'email-change-notice': emailChangeNotice,
  'second-factor-notice': secondFactorNotice,
  'password-notice': passwordNotice,
};

const plainTemplates = {
  ...accountMails,
  ...billingMails,
  message: customMail,
};

type PlainTemplates = typeof plainTemplates;
type OrderTemplates = typeof orderMails;
type CodeTemplates = typeof codeTemplates;
type CodeTemplate = keyof CodeTemplates;

/** A mail that is not written yet: its template and the template's data. */
export type TemplatedMail =
  | {
      [Name in CodeTemplate]: { readonly template: Name; readonly data: Parameters<CodeTemplates[Name]>[0] };
    }[CodeTemplate]
  | {
      [Name in keyof PlainTemplates]: { readonly template: Name; readonly data: Parameters<PlainTemplates[Name]>[0] };
    }[keyof PlainTemplates]
  /** The mail to a guest has a code: the secret with which the order can be read. */
  | {
      [Name in keyof OrderTemplates]: { readonly template: Name; readonly data: Parameters<OrderTemplates[Name]>[0] };
    }[keyof OrderTemplates]
  /** An announcement has the same text for many people, so its text is stored once, with the announcement. */
  | { readonly template: 'announcement'; readonly data: { readonly announcementId: string } };

/** A mail whose text is made from its template and data alone. */
export type RenderableMail = Exclude<TemplatedMail, { template: 'announcement' }>;

/** Thrown where a mail can't be written because something that it needs is missing. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

interface Rendering {
  readonly writing: Writing;
  readonly code: PlainCode | null;
  readonly because: Because;
  /** Null for mail that the reader can't switch off. */
  readonly optOut: OptOut | null;
}

/** Writes a mail. Throws where a mail with a code gets no code. */
export function renderMail(mail: RenderableMail, { writing, code, because, optOut }: Rendering): RenderedMail {
  const { shop, language } = writing;
  return layOut(contentOf(mail, writing, code), { shop, language, because, optOut });
}

function contentOf(mail: RenderableMail, writing: Writing, code: PlainCode | null): MailContent {
  if (isCodeMail(mail)) {
    if (code === null) throw new MailError(`${mail.template} needs its code`);
    const writeCode = codeTemplates[mail.template] as (
      data: typeof mail.data,
      code: PlainCode,
      writing: Writing,
    ) => MailContent;
    return writeCode(mail.data, code, writing);
  }
  if (isOrderMail(mail)) return orderMails[mail.template](mail.data, code?.link ?? null, writing);
  // The type `TemplatedMail` ensures that data and template fit. TypeScript can't see this when the function is looked
  // up.
  const write = plainTemplates[mail.template] as (data: typeof mail.data, writing: Writing) => MailContent;
  return write(mail.data, writing);
}

const becauseOfTemplate: { readonly [Name in TemplatedMail['template']]?: Because } = {
  'verification-code': 'address-entered',
  'trade-application-received': 'address-entered',
  'email-change-code': 'address-entered',
  'trade-account-submitted': 'trade-account',
  'trade-account-approved': 'trade-account',
  'trade-account-rejected': 'trade-account',
  'trade-account-info-requested': 'trade-account',
  'trade-account-suspended': 'trade-account',
  'trade-account-reinstated': 'trade-account',
  'wishlist-alert': 'wishlist',
  'order-confirmed': 'order',
  'order-payment-failed': 'order',
  'order-cancelled': 'order',
  'order-shipped': 'order',
  'order-delivered': 'order',
  'order-reduced': 'order',
  'order-refunded': 'order',
  'order-returned': 'order',
  'account-erased': 'erased',
};

/** Why somebody gets the mail. `isUser`: the mail is to a known user. */
export function becauseOf(
  template: TemplatedMail['template'],
  category: engagementHttp.Category,
  isUser: boolean,
): Because {
  const known = becauseOfTemplate[template];
  if (known !== undefined) return known;
  if (!isUser) return 'sent-by-shop';
  if (category === 'invoices') return 'trade-account';
  return isOptIn(category) ? category : 'account';
}

function isCodeMail(mail: RenderableMail): mail is Extract<TemplatedMail, { template: CodeTemplate }> {
  return Object.hasOwn(codeTemplates, mail.template);
}

function isOrderMail(mail: RenderableMail): mail is Extract<TemplatedMail, { template: keyof OrderTemplates }> {
  return Object.hasOwn(orderMails, mail.template);
}
