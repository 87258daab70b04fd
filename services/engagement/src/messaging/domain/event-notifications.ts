import type { engagementEvents, engagementHttp } from '@storefront/contracts';
import type { z } from 'zod';
import { formatPrice } from './formats.ts';
import { administrators, type NewNotification } from './notification.ts';

// The notifications that events cause. People may read them on a locked screen, so they contain no secrets.

type Text = Pick<NewNotification, 'type' | 'title' | 'body'> & Partial<Pick<NewNotification, 'data'>>;

const about =
  (category: engagementHttp.Category) =>
  (audience: string, { data = {}, ...text }: Text): NewNotification => ({ audience, category, ...text, data });
const account = about('account');
const security = about('security');

export const welcomeNotification = (userId: string): NewNotification =>
  account(userId, {
    type: 'welcome',
    title: 'Welcome',
    body: 'Your email address is confirmed and your account is ready.',
  });

export const passwordChangedNotification = (userId: string): NewNotification =>
  security(userId, {
    type: 'password-changed',
    title: 'Your password was changed',
    body: 'All devices were logged out. If this was not you, set a new password at once.',
  });

export const loginThrottledNotification = (userId: string, failures: number): NewNotification =>
  security(userId, {
    type: 'login-throttled',
    title: 'Failed logins to your account',
    body: `There were ${failures} failed attempts to log in. Nobody got in.`,
    data: { failures },
  });

const factorTitles = {
  'totp-added': 'An authenticator app was added',
  'totp-removed': 'An authenticator app was removed',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'recovery-codes-made': 'New recovery codes were made',
  'recovery-code-used': 'A recovery code was used',
} as const;

export const secondFactorChangedNotification = (
  userId: string,
  change: keyof typeof factorTitles,
  recoveryCodesLeft: number,
): NewNotification =>
  security(userId, {
    type: 'second-factor-changed',
    title: factorTitles[change],
    body: 'If this was not you, set a new password at once.',
    data: { change, recoveryCodesLeft },
  });

export const secondFactorGuessedNotification = (userId: string, tries: number): NewNotification =>
  security(userId, {
    type: 'second-factor-guessed',
    title: 'Wrong codes for your account',
    body: 'They came after the right password. If it was not you, set a new one at once.',
    data: { tries },
  });

export const emailChangedNotification = (userId: string): NewNotification =>
  security(userId, {
    type: 'email-changed',
    title: 'Your email address was changed',
    body: 'All other devices were logged out.',
  });

export const changesRevertedNotification = (userId: string): NewNotification =>
  security(userId, {
    type: 'changes-reverted',
    title: 'Your account is as it was before',
    body: 'Changes of email, password or second factors were undone, and all devices were logged out.',
  });

export const exportReadyNotification = (userId: string, exportId: string): NewNotification =>
  security(userId, {
    type: 'user-export-ready',
    title: 'Your data is ready',
    body: 'The copy of your data that you asked for can be downloaded for 7 days.',
    data: { exportId },
  });

/** A notification for every administrator. */
export const tradeAccountWaitingNotification = (applicantId: string, businessName: string): NewNotification =>
  account(administrators, {
    type: 'trade-account-waiting',
    title: 'A trade account waits for approval',
    body: `${businessName} applied for a trade account.`,
    data: { tradeAccountId: applicantId, businessName },
  });

const decisionTitles = {
  approved: 'Your trade account is approved',
  rejected: 'Your trade application was not accepted',
  'info-requested': 'We need more information for your trade application',
  suspended: 'Your trade account is suspended',
  reinstated: 'Your trade account can be used again',
} as const;

/** The decision of an administrator about a trade account. */
export type TradeOutcome = keyof typeof decisionTitles;

export const tradeDecisionNotification = (
  userId: string,
  outcome: TradeOutcome,
  reason: string | null,
): NewNotification =>
  account(userId, {
    type: `trade-account-${outcome}`,
    title: decisionTitles[outcome],
    body: reason ?? '',
    data: { reason },
  });

type RetakenDiscount = z.output<(typeof engagementEvents.discountRetaken)['data']>;

/** A notification for every administrator. It names no person. */
export function discountRetakenNotification(
  redemptionId: string,
  { orderId, currency, discount, shippingDiscount, beyondLimits }: RetakenDiscount,
): NewNotification {
  const amount = formatPrice({ amount: discount + shippingDiscount, currency });
  const names = beyondLimits.map(({ name }) => `“${name}”`).join(', ');
  const passed = names === '' ? 'No limit was passed.' : `A limit was passed of ${names}.`;
  return {
    audience: administrators,
    category: 'orders',
    type: 'discount-retaken',
    title: 'An order has discounts that were not held for it',
    body: `Order ${orderId} was placed with ${amount} off that had been given back or used before. It counts again. ${passed}`,
    data: { redemptionId, orderRef: orderId, campaignIds: beyondLimits.map(({ campaignId }) => campaignId) },
  };
}
