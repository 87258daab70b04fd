import type { identityEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { WordsInput } from '../languages/language.ts';
import type { MailContent } from '../layout.ts';
import { cartMail } from '../left-cart.ts';
import { wishlistWords, type WishlistAlert } from '../wishlist-alert.ts';
import { compose, quotedReason, wordsOf, type Writing } from './compose.ts';

export interface Named {
  readonly firstName: string;
}

/** What a mail about a trade account, decided by staff, tells. */
export interface TradeDecision extends Named {
  readonly businessName: string;
  readonly reason: string | null;
}

/** The decision of staff about a trade account. */
export type TradeOutcome = 'approved' | 'rejected' | 'info-requested' | 'suspended' | 'reinstated';

type Undone = z.infer<typeof identityEvents.changesReverted.data>['undone'][number];

const [home, login, forgotten] = ['', '/login', '/password/forgot'];

/** The mails about an account, except those with a code. */
export const accountMails = {
  welcome: ({ firstName }: Named, writing: Writing) =>
    compose(writing, wordsOf(writing, 'welcome', {}), { firstName, path: home }),

  'registration-attempted': (data: { readonly attempted: 'retail' | 'trade' }, writing: Writing) =>
    compose(writing, wordsOf(writing, 'registration-attempted', data), { path: login }),

  'password-changed': (
    { firstName, ...data }: Named & Omit<WordsInput['password-changed'], 'shop'>,
    writing: Writing,
  ) => compose(writing, wordsOf(writing, 'password-changed', data), { firstName, path: forgotten }),

  'login-throttled': ({ firstName, failures }: Named & { readonly failures: number }, writing: Writing) =>
    compose(writing, wordsOf(writing, 'login-throttled', { failures }), { firstName, path: forgotten }),

  'staff-changed': (
    {
      firstName,
      reason,
      ...data
    }: Named & Omit<WordsInput['staff-changed'], 'shop'> & { readonly reason: string | null },
    writing: Writing,
  ) => compose(writing, wordsOf(writing, 'staff-changed', data), { firstName, main: quotedReason(writing, reason) }),

  /** The mail about a change of second factors that has no link to undo it. */
  'second-factor-changed': (
    {
      firstName,
      change,
      recoveryCodesLeft: codesLeft,
    }: Named & Pick<WordsInput['second-factor-changed'], 'change'> & { readonly recoveryCodesLeft: number },
    writing: Writing,
  ) =>
    compose(writing, wordsOf(writing, 'second-factor-changed', { change, codesLeft }), { firstName, path: forgotten }),

  'second-factor-guessed': ({ firstName, tries }: Named & { readonly tries: number }, writing: Writing) =>
    compose(writing, wordsOf(writing, 'second-factor-guessed', { tries }), { firstName, path: forgotten }),

  'email-change-attempted': (_data: unknown, writing: Writing) =>
    compose(writing, wordsOf(writing, 'email-change-attempted', {}), { path: login }),

  'email-changed': ({ firstName }: Named, writing: Writing) =>
    compose(writing, wordsOf(writing, 'email-changed', {}), { firstName }),

  'changes-reverted': ({ firstName, undone }: Named & { readonly undone: readonly Undone[] }, writing: Writing) =>
    compose(writing, wordsOf(writing, 'changes-reverted', {}), {
      firstName,
      main: [{ kind: 'list', items: undone.map((kind) => writing.language.undone[kind]) }],
      path: forgotten,
    }),

  /**
   * The mail about an application whose email address is confirmed. Before that, the content of an application is not
   * mailed.
   */
  'trade-account-submitted': (
    { firstName, businessName }: Pick<TradeDecision, 'firstName' | 'businessName'>,
    writing: Writing,
  ) => compose(writing, wordsOf(writing, 'trade-account-submitted', { businessName }), { firstName }),

  'trade-account-approved': decided('approved'),
  'trade-account-rejected': decided('rejected'),
  'trade-account-info-requested': decided('info-requested'),
  'trade-account-suspended': decided('suspended'),
  'trade-account-reinstated': decided('reinstated'),

  'wishlist-alert': ({ firstName, ...alert }: Named & WishlistAlert, writing: Writing) =>
    compose(writing, wishlistWords(writing, alert), { firstName, path: '/wishlist' }),

  'cart-left': cartMail,

  'user-export-ready': ({ firstName, byStaff = false }: Named & ByStaff, writing: Writing) =>
    compose(writing, wordsOf(writing, 'user-export-ready', { byStaff }), { firstName, path: '/account/data' }),

  /** The last mail to an erased user. It contains no personal data. */
  'account-erased': ({ byStaff = false }: ByStaff, writing: Writing) =>
    compose(writing, wordsOf(writing, 'account-erased', { byStaff }), {}),
};

/** Whether an administrator has asked for it, not the reader. Missing in deliveries of former versions. */
export interface ByStaff {
  readonly byStaff?: boolean;
}

function decided(outcome: TradeOutcome) {
  return ({ firstName, businessName, reason }: TradeDecision, writing: Writing): MailContent =>
    compose(writing, wordsOf(writing, `trade-account-${outcome}`, { businessName }), {
      firstName,
      main: quotedReason(writing, reason),
      path: login,
    });
}
