import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The cryptography of the audit log: a key for each person, and keyed hashes of texts that must not be readable. */
export interface PersonCipher {
  /**
   * Returns a keyed hash: the same for equal texts of a kind. Without the service's secret the hash reveals nothing.
   */
  hash(kind: 'person' | 'address' | 'flood', text: string): string;
  /** Makes a random key, encrypted with the service's secret. Each use of the key needs the same `owner`. */
  newWrappedKey(owner: string): string;
  /** Encrypts with a person's key. `place` names where the result is stored. Decryption needs the same `place`. */
  seal(wrappedKey: string, owner: string, place: string, value: object): string;
  /** Decrypts. Throws where the text was changed, or was encrypted with another key or for another place. */
  open(wrappedKey: string, owner: string, place: string, sealed: string): unknown;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** `secret` is KEY_ENCRYPTION_SECRET. The keys for wrapping and for hashing are derived from it. */
export function createPersonCipher(secret: string): PersonCipher {
  const derived = (name: string) => Buffer.from(hkdfSync('sha256', secret, '', `storefront audit ${name}`, keyBytes));
  const [wrapping, hashing] = [derived('keys'), derived('hashes')];
  const unwrap = (wrapped: string, owner: string) => decrypt(wrapping, owner, wrapped);
  return {
    hash: (kind, text) => createHmac('sha256', hashing).update(`${kind}\0${text}`).digest('base64url').slice(0, 27),
    newWrappedKey: (owner) => encrypt(wrapping, owner, randomBytes(keyBytes)),
    seal: (wrapped, owner, place, value) => encrypt(unwrap(wrapped, owner), place, Buffer.from(JSON.stringify(value))),
    open: (wrapped, owner, place, sealed) => JSON.parse(decrypt(unwrap(wrapped, owner), place, sealed).toString()),
  };
}

/** Encrypts with AES-256-GCM. Returns nonce, tag and encrypted text in base64url. */
function encrypt(key: Buffer, place: string, text: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const encrypted = [cipher.update(text), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64url');
}

function decrypt(key: Buffer, place: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
