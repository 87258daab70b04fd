import type { identityEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { MailContent, Shop } from '../layout.ts';
import type { PlainCode } from './codes.ts';
import { greeting, paragraph } from './phrases.ts';
import { wayBack } from './way-back.ts';

type Change = z.infer<typeof identityEvents.secondFactorChanged.data>['change'];

const sentences: Readonly<Record<Change, readonly [subject: string, sentence: string]>> = {
  'totp-added': ['An authenticator app was added', 'an authenticator app was set up for your account.'],
  'totp-removed': ['An authenticator app was removed', 'the authenticator app of your account was removed.'],
  'passkey-added': ['A passkey was added', 'a passkey was added to your account. It can log in without a password.'],
  'passkey-removed': ['A passkey was removed', 'a passkey of your account was deleted.'],
  'recovery-codes-made': ['You have new recovery codes', 'new recovery codes were made. The older ones are dead.'],
  'recovery-code-used': ['A recovery code was used', 'a recovery code of your account was used.'],
};

interface FactorChanged {
  readonly firstName: string;
  readonly change: Change;
  readonly recoveryCodesLeft: number;
}

/** The mail about a changed second factor, with a link that undoes the change. */
export function secondFactorNotice(data: FactorChanged, code: PlainCode, shop: Shop): MailContent {
  const [subject, sentence] = sentences[data.change];
  return { subject, blocks: [greeting(data.firstName), paragraph(sentence), ...wayBack(code, shop)] };
}

/** The mail about a change of second factors that has no link to undo it. */
export function secondFactorChanged(data: FactorChanged, shop: Shop): MailContent {
  const [subject, sentence] = sentences[data.change];
  return {
    subject,
    blocks: [
      greeting(data.firstName),
      paragraph(sentence),
      ...(data.change === 'recovery-code-used' ? [paragraph(`Recovery codes left: ${data.recoveryCodesLeft}.`)] : []),
      paragraph('If this was you, there is nothing to do. If it was not you, set a new password at once:'),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}

export function secondFactorGuessed(data: { firstName: string; tries: number }, shop: Shop): MailContent {
  return {
    subject: 'Wrong codes for your account',
    blocks: [
      greeting(data.firstName),
      paragraph(
        `${data.tries} codes in a row were wrong after the right password for your account. The next ones have to wait ` +
          'for a while; nobody got in by them.',
      ),
      paragraph('If it was not you, somebody knows your password: set a new one at once.'),
      { kind: 'link', label: 'Set a new password', url: `${shop.url}/password/forgot` },
    ],
  };
}
