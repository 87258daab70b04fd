import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { CompactEncrypt } from 'jose';

/** The secrets with which guests read, pay and cancel their orders. */
export interface OrderSecrets {
  /** The secret of the order. It follows from the id, so that an order that is sent again is answered with it again. */
  of(orderId: string): string;
  /** What is stored of the secret. */
  digest(secret: string): string;
  /** Encrypts the secret for the mail about the order, as identity encrypts codes. */
  seal(secret: string): Promise<string>;
  /** Whether the digest is that of the secret; in the same time for right and wrong ones. */
  matches(digest: string, secret: string): boolean;
}

export function createOrderSecrets(key: string, sealingKey: Uint8Array): OrderSecrets {
  const digest = (secret: string) => createHash('sha256').update(secret).digest('base64url');
  return {
    of: (orderId) => createHmac('sha256', key).update(`order\0${orderId}`).digest('base64url'),
    digest,
    seal: (secret) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ code: null, link: secret })))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(sealingKey),
    matches(known, secret) {
      const [left, right] = [Buffer.from(known), Buffer.from(digest(secret))];
      return left.length === right.length && timingSafeEqual(left, right);
    },
  };
}
