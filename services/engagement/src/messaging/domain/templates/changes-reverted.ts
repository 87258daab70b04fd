import type { identityEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { MailContent, Shop } from '../layout.ts';
import { greeting, paragraph } from './phrases.ts';

type Undone = z.infer<typeof identityEvents.changesReverted.data>['undone'][number];

const words: Readonly<Record<Undone, string>> = {
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
      ...undone.map((kind) => paragraph(`- ${words[kind]}`)),
      paragraph('It has this email address and the second factors of before, and all devices have been logged out.'),
      paragraph('The password does not work any more, since somebody else may know it. Set a new one:'),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}
