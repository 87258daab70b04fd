import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The stored part of the answer to a request. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the body must be made again. */
  readonly body: string | null;
  /** Only for a body that must be made again: its SHA-256, and in `note` the handler's note for making it. */
  readonly digest?: string;
  readonly note?: string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Returns a key that can be made only with both the service's secret and the client's `Idempotency-Key`. */
export function sealingKeyOf(secret: string, recordId: string, clientKey: string): Buffer {
  return createHmac('sha256', secret).update(`answer\0${recordId}\0${clientKey}`).digest();
}

/** Encrypts an answer with AES-256-GCM. Returns base64url. */
export function sealAnswer(answer: KeptAnswer, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = [cipher.update(JSON.stringify(answer)), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/** Decrypts an answer. Throws if it was sealed with another key. */
export function openAnswer(sealed: string, key: Buffer): KeptAnswer {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString()) as KeptAnswer;
}
