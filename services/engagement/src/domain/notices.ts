import { administrators } from './notification.ts';
import type { Notice } from './notification.ts';

// The in-app notifications that events cause. Their words may be read on a locked screen: nothing secret in them.

export function welcomed(userId: string): Notice {
  return {
    audience: userId,
    category: 'account',
    type: 'welcome',
    title: 'Welcome',
    body: 'Your email address is confirmed and your account is ready.',
    data: {},
  };
}

export function passwordWasChanged(userId: string): Notice {
  return {
    audience: userId,
    category: 'security',
    type: 'password-changed',
    title: 'Your password was changed',
    body: 'All devices were logged out. If this was not you, set a new password at once.',
    data: {},
  };
}

export function loginsFailed(userId: string, failures: number): Notice {
  return {
    audience: userId,
    category: 'security',
    type: 'login-throttled',
    title: 'Failed logins to your account',
    body: `There were ${failures} failed attempts to log in. Nobody got in.`,
    data: { failures },
  };
}

export function dataIsReady(userId: string, exportId: string): Notice {
  return {
    audience: userId,
    category: 'security',
    type: 'user-export-ready',
    title: 'Your data is ready',
    body: 'The copy of your data that you asked for can be downloaded for 7 days.',
    data: { exportId },
  };
}

/** For every administrator. */
export function tradeAccountWaits(applicantId: string, businessName: string): Notice {
  return {
    audience: administrators,
    category: 'account',
    type: 'trade-account-waiting',
    title: 'A trade account waits for approval',
    body: `${businessName} applied for a trade account.`,
    data: { tradeAccountId: applicantId, businessName },
  };
}

const decisions = {
  approved: 'Your trade account is approved',
  rejected: 'Your trade application was not accepted',
  'info-requested': 'We need more information for your trade application',
  suspended: 'Your trade account is suspended',
  reinstated: 'Your trade account can be used again',
} as const;

export type TradeOutcome = keyof typeof decisions;

export function tradeAccountDecided(userId: string, outcome: TradeOutcome, reason: string | null): Notice {
  return {
    audience: userId,
    category: 'account',
    type: `trade-account-${outcome}`,
    title: decisions[outcome],
    body: reason ?? '',
    data: { reason },
  };
}
