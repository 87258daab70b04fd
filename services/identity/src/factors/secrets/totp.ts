import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { seal, unseal } from '../../secrets/seal.ts';

/** Codes of authenticator apps by RFC 6238, with SHA-1, 6 digits and 30 seconds, which every app supports. */
export interface TotpSecrets {
  /**
   * Makes a secret. `secret` is in base 32, for the app. `sealed` is encrypted, for the database, and valid only for
   * this user.
   */
  create(userId: string): Promise<{ secret: string; sealed: string }>;
  /** The URL with the secret, which apps read from a QR code. */
  urlOf(secret: string, email: string): Promise<string>;
  /** The time step of the code if it is the current, the previous or the next step; null for any other code. */
  stepOf(userId: string, sealed: string, code: string, now: Date): Promise<number | null>;
}

const sealedSecret = z.object({ userId: z.string(), secret: z.string() });
const periodSeconds = 30;

/** The encryption key is derived from `keySecret`. `issuer` is the name that apps show. */
export function createTotpSecrets(keySecret: string, issuer: string): TotpSecrets {
  const key = new Uint8Array(hkdfSync('sha256', keySecret, '', 'storefront second factors', 32));
  // The library takes 8 MB of memory. Most instances never need it, so it is loaded at the first use.
  const load = () => import('otplib');
  return {
    async create(userId) {
      const { generateSecret } = await load();
      const secret = generateSecret();
      return { secret, sealed: await seal({ userId, secret }, key) };
    },
    async urlOf(secret, email) {
      const { generateURI } = await load();
      return generateURI({ issuer, label: email, secret });
    },
    async stepOf(userId, sealed, code, now) {
      const { verifySync } = await load();
      const opened = sealedSecret.parse(await unseal(sealed, key));
      if (opened.userId !== userId) throw new Error(`the secret of ${userId} is that of another user`);
      const epoch = Math.floor(now.getTime() / 1000);
      const found = verifySync({ secret: opened.secret, token: code, epoch, epochTolerance: periodSeconds });
      return found.valid ? Math.floor(epoch / periodSeconds) + found.delta : null;
    },
  };
}
