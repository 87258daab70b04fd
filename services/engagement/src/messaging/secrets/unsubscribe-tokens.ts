import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '@storefront/contracts';
import type { OptInCategory } from '../domain/preferences.ts';

/** The category of mail that a token switches off, and the user. */
interface Unsubscription {
  readonly userId: string;
  readonly category: OptInCategory;
}

/**
 * Tokens for the unsubscribe links in mails. Tokens never expire, because people keep mails. Nobody can read the user
 * from a token.
 */
export interface UnsubscribeTokens {
  /** Returns the token of 64 base64url characters; always the same token for the same user and category. */
  make(unsubscription: Unsubscription): string;
  /** Returns the content of a token; null where the token was not made with this secret. */
  read(token: string): Unsubscription | null;
}

const letters: Readonly<Record<OptInCategory, string>> = { offers: 'o', marketing: 'm' };
const macLength = 16;
const length = macLength + 1 + 'user_'.length + 26;

/**
 * A token is an HMAC over its content, followed by the content, which is encrypted with that HMAC as the initial
 * counter (the construction of SIV, RFC 5297). So no nonce has to be stored, and tokens reveal nothing except which
 * ones are equal.
 */
export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  const key = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `unsubscribe tokens, ${use}`, 32));
  const [macKey, cipherKey] = [key('authentication'), key('encryption')];
  const macOf = (content: Buffer) => createHmac('sha256', macKey).update(content).digest().subarray(0, macLength);

  return {
    make({ userId, category }) {
      const content = Buffer.from(letters[category] + userId);
      const mac = macOf(content);
      return Buffer.concat([mac, createCipheriv('aes-256-ctr', cipherKey, mac).update(content)]).toString('base64url');
    },

    read(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== length || bytes.toString('base64url') !== token) return null;
      const mac = bytes.subarray(0, macLength);
      const content = createDecipheriv('aes-256-ctr', cipherKey, mac).update(bytes.subarray(macLength));
      if (!timingSafeEqual(macOf(content), mac)) return null;
      const text = content.toString();
      const [category, userId] = [categoryOf(text.slice(0, 1)), text.slice(1)];
      return category !== null && isId('user', userId) ? { userId, category } : null;
    },
  };
}

function categoryOf(letter: string): OptInCategory | null {
  if (letter === letters.offers) return 'offers';
  return letter === letters.marketing ? 'marketing' : null;
}
