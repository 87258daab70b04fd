import type { catalogEvents, engagementEvents, engagementHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { WordsInput } from './languages/language.ts';
import { administrators, type NewNotification } from './notification.ts';
import type { TradeOutcome } from './templates/account.ts';
import { notificationOf, wordsOf, type Writing } from './templates/compose.ts';

// The notifications that events cause. People may read them on a locked screen, so they contain no secrets.

type Template = 'welcome' | 'password-changed' | 'login-throttled' | 'second-factor-changed' | 'second-factor-guessed';
type About = Template | 'email-changed' | 'changes-reverted' | 'user-export-ready';

/** A notification with the words of the mail about the same matter. */
function notification<Name extends About>(
  writing: Writing,
  [category, userId]: readonly [engagementHttp.Category, string],
  type: Name,
  input: Omit<WordsInput[Name], 'shop'>,
  data: NewNotification['data'] = {},
): NewNotification {
  return { audience: userId, category, type, ...notificationOf(wordsOf(writing, type, input)), data };
}

export const welcomeNotification = (writing: Writing, userId: string): NewNotification =>
  notification(writing, ['account', userId], 'welcome', {});

export const passwordChangedNotification = (
  writing: Writing,
  userId: string,
  input: Omit<WordsInput['password-changed'], 'shop'>,
): NewNotification => notification(writing, ['security', userId], 'password-changed', input);

export const loginThrottledNotification = (writing: Writing, userId: string, failures: number): NewNotification =>
  notification(writing, ['security', userId], 'login-throttled', { failures }, { failures });

export const secondFactorChangedNotification = (
  writing: Writing,
  userId: string,
  change: WordsInput['second-factor-changed']['change'],
  recoveryCodesLeft: number,
): NewNotification => {
  const input = { change, codesLeft: recoveryCodesLeft };
  return notification(writing, ['security', userId], 'second-factor-changed', input, { change, recoveryCodesLeft });
};

export const secondFactorGuessedNotification = (writing: Writing, userId: string, tries: number): NewNotification =>
  notification(writing, ['security', userId], 'second-factor-guessed', { tries }, { tries });

export const emailChangedNotification = (writing: Writing, userId: string): NewNotification =>
  notification(writing, ['security', userId], 'email-changed', {});

export const changesRevertedNotification = (writing: Writing, userId: string): NewNotification =>
  notification(writing, ['security', userId], 'changes-reverted', {});

export const exportReadyNotification = (
  writing: Writing,
  userId: string,
  { exportId, byStaff }: { readonly exportId: string; readonly byStaff: boolean },
): NewNotification => notification(writing, ['security', userId], 'user-export-ready', { byStaff }, { exportId });

export const tradeDecisionNotification = (
  writing: Writing,
  userId: string,
  outcome: TradeOutcome,
  { businessName, reason }: { readonly businessName: string; readonly reason: string | null },
): NewNotification => {
  const type = `trade-account-${outcome}` as const;
  const { title, body } = notificationOf(wordsOf(writing, type, { businessName }));
  return { audience: userId, category: 'account', type, title, body: reason ?? body, data: { reason } };
};

/** A notification for every administrator. */
export const tradeAccountWaitingNotification = (
  { language }: Writing,
  applicantId: string,
  businessName: string,
): NewNotification => ({
  audience: administrators,
  category: 'account',
  type: 'trade-account-waiting',
  ...language.toAdministrators.tradeAccountWaiting(businessName),
  data: { tradeAccountId: applicantId, businessName },
});

/** A notification for every administrator. */
export function stockLowNotification(
  { language }: Writing,
  { id, variantId, sku, name, values, stock }: z.output<(typeof catalogEvents.stockLow)['data']>,
): NewNotification {
  return {
    audience: administrators,
    category: 'orders',
    type: 'stock-low',
    ...language.toAdministrators.stockLow({ name, variant: values.join(', '), sku, stock }),
    data: { productId: id, variantId, sku, stock },
  };
}

type RetakenDiscount = z.output<(typeof engagementEvents.discountRetaken)['data']>;

/** A notification for every administrator. It names no person. */
export function discountRetakenNotification(
  { language, formats }: Writing,
  redemptionId: string,
  { orderId, currency, discount, shippingDiscount, beyondLimits }: RetakenDiscount,
): NewNotification {
  return {
    audience: administrators,
    category: 'orders',
    type: 'discount-retaken',
    ...language.toAdministrators.discountRetaken({
      orderRef: orderId,
      amount: formats.money({ amount: discount + shippingDiscount, currency }),
      campaigns: beyondLimits.map(({ name }) => name),
    }),
    data: { redemptionId, orderRef: orderId, campaignIds: beyondLimits.map(({ campaignId }) => campaignId) },
  };
}
