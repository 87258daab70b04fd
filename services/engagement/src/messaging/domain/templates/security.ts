import type { identityEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { MailContent, Shop } from '../layout.ts';
import type { PlainCode } from './codes.ts';
import { greeting, paragraph, quotedReason } from './phrases.ts';
import { wayBack } from './way-back.ts';

export function registrationAttempted(data: { attempted: 'retail' | 'trade' }, shop: Shop): MailContent {
  const what = data.attempted === 'trade' ? 'a trade account' : 'an account';
  return {
    subject: 'You already have an account',
    blocks: [
      paragraph('Hello,'),
      paragraph(`somebody, perhaps you, tried to register ${what} at ${shop.name} with this email address.`),
      paragraph('There is an account with it already, so nothing was changed. Log in, or set a new password there.'),
      { kind: 'link', label: 'Log in', url: `${shop.url}/login` },
      paragraph('If it was not you, there is nothing to do.'),
    ],
  };
}

/** The mail about a changed password, with a link that undoes the change. */
export function passwordNotice({ firstName }: { firstName: string }, code: PlainCode, shop: Shop): MailContent {
  return {
    subject: 'Your password was changed',
    blocks: [
      greeting(firstName),
      paragraph('the password of your account was changed. All other devices have been logged out.'),
      ...wayBack(code, shop),
    ],
  };
}

export function passwordChanged(
  data: { firstName: string; how: 'change' | 'reset'; factorsDropped: boolean },
  shop: Shop,
): MailContent {
  return {
    subject: 'Your password was changed',
    blocks: [
      greeting(data.firstName),
      paragraph(
        data.how === 'reset'
          ? 'a new password was set for your account with a code sent to this address.'
          : 'the password of your account was changed.',
      ),
      paragraph('All devices have been logged out. If this was you, there is nothing to do.'),
      ...(data.factorsDropped
        ? [paragraph('Second factors that were added within the last 7 days do not work any more. Add yours again.')]
        : []),
      paragraph('If it was not you, set a new password at once:'),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}

export function loginThrottled(data: { firstName: string; failures: number }, shop: Shop): MailContent {
  return {
    subject: 'Failed logins to your account',
    blocks: [
      greeting(data.firstName),
      paragraph(
        `there were ${data.failures} failed attempts to log in to your account. The next attempts have to wait for a ` +
          'while; your account is not locked, and nobody got in.',
      ),
      paragraph(
        'If this was you and you forgot your password, set a new one. If it was not you, a longer one is safer.',
      ),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}

type StaffChange = z.infer<typeof identityEvents.staffChanged.data>;

const staffChanges: Readonly<
  Record<StaffChange['change'], { subject: string; textFor: (role: StaffChange['role']) => string }>
> = {
  'role-changed': {
    subject: 'Your account has another role now',
    textFor: (role) =>
      role === 'retail'
        ? 'your account is one of a customer now: it has no role of the staff any more. All devices were logged out.'
        : `your account has the role ${role} of the staff now. All devices were logged out; log in again to use it.`,
  },
  disabled: {
    subject: 'Your staff account was disabled',
    textFor: () => 'your staff account was disabled, and all devices were logged out. Nobody can log in to it now.',
  },
  enabled: {
    subject: 'Your staff account is enabled again',
    textFor: () => 'your staff account is enabled again. Password and second factors are those of before.',
  },
  'sessions-ended': {
    subject: 'You were logged out on every device',
    textFor: () => 'your staff account was logged out on every device. You can log in again.',
  },
};

export function staffChanged(data: Pick<StaffChange, 'firstName' | 'role' | 'change' | 'reason'>): MailContent {
  const { subject, textFor } = staffChanges[data.change];
  return {
    subject,
    blocks: [
      greeting(data.firstName),
      paragraph(textFor(data.role)),
      ...quotedReason(data.reason),
      paragraph('If you did not expect this, ask an administrator of the shop.'),
    ],
  };
}

type Undone = z.infer<typeof identityEvents.changesReverted.data>['undone'][number];

const undoneChanges: Readonly<Record<Undone, string>> = {
  'email-changed': 'another email address',
  'password-changed': 'another password',
  'totp-added': 'an authenticator app that was added',
  'totp-removed': 'an authenticator app that was removed',
  'passkey-added': 'a passkey that was added',
  'passkey-removed': 'a passkey that was removed',
  'recovery-codes-made': 'new recovery codes',
};

export function changesReverted(
  { firstName, undone }: { firstName: string; undone: readonly Undone[] },
  shop: Shop,
): MailContent {
  return {
    subject: 'Your account is as it was before',
    blocks: [
      greeting(firstName),
      paragraph('these changes of your account were undone:'),
      ...undone.map((kind) => paragraph(`- ${undoneChanges[kind]}`)),
      paragraph('It has this email address and the second factors of before, and all devices have been logged out.'),
      paragraph('The password does not work any more, since somebody else may know it. Set a new one:'),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}
