import { administrators, type NewNotification } from './notification.ts';

// The notifications that events cause. They may be read on a locked screen, so there is nothing secret in them.

export function welcomeNotification(userId: string): NewNotification {
  return {
    audience: userId,
    category: 'account',
    type: 'welcome',
    title: 'Welcome',
    body: 'Your email address is confirmed and your account is ready.',
    data: {},
  };
}

export function passwordChangedNotification(userId: string): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'password-changed',
    title: 'Your password was changed',
    body: 'All devices were logged out. If this was not you, set a new password at once.',
    data: {},
  };
}

export function loginThrottledNotification(userId: string, failures: number): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'login-throttled',
    title: 'Failed logins to your account',
    body: `There were ${failures} failed attempts to log in. Nobody got in.`,
    data: { failures },
  };
}

const factorTitles = {
  'totp-added': 'An authenticator app was added',
  'totp-removed': 'An authenticator app was removed',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'recovery-codes-made': 'New recovery codes were made',
  'recovery-code-used': 'A recovery code was used',
} as const;

export function secondFactorChangedNotification(
  userId: string,
  change: keyof typeof factorTitles,
  recoveryCodesLeft: number,
): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'second-factor-changed',
    title: factorTitles[change],
    body: 'If this was not you, set a new password at once.',
    data: { change, recoveryCodesLeft },
  };
}

export function secondFactorGuessedNotification(userId: string, tries: number): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'second-factor-guessed',
    title: 'Wrong codes for your account',
    body: 'They came after the right password. If it was not you, set a new one at once.',
    data: { tries },
  };
}

export function emailChangedNotification(userId: string): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'email-changed',
    title: 'Your email address was changed',
    body: 'All other devices were logged out.',
    data: {},
  };
}

export function changesRevertedNotification(userId: string): NewNotification {
  return {
    audience: userId,
    category: 'security',
    type: 'changes-reverted',
    title: 'Your account is as it was before',
    body: 'Changes of email, password or second factors were undone, and all devices were logged out.',
    data: {},
  };
}

export function exportReadyNotification(userId: string, exportId: string): NewNotification {
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
export function tradeAccountWaitingNotification(applicantId: string, businessName: string): NewNotification {
  return {
    audience: administrators,
    category: 'account',
    type: 'trade-account-waiting',
    title: 'A trade account waits for approval',
    body: `${businessName} applied for a trade account.`,
    data: { tradeAccountId: applicantId, businessName },
  };
}

const decisionTitles = {
  approved: 'Your trade account is approved',
  rejected: 'Your trade application was not accepted',
  'info-requested': 'We need more information for your trade application',
  suspended: 'Your trade account is suspended',
  reinstated: 'Your trade account can be used again',
} as const;

/** What an administrator decided about a trade account. */
export type TradeOutcome = keyof typeof decisionTitles;

export function tradeDecisionNotification(
  userId: string,
  outcome: TradeOutcome,
  reason: string | null,
): NewNotification {
  return {
    audience: userId,
    category: 'account',
    type: `trade-account-${outcome}`,
    title: decisionTitles[outcome],
    body: reason ?? '',
    data: { reason },
  };
}
