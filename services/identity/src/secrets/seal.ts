import { compactDecrypt, CompactEncrypt } from 'jose';

const header = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts to a compact JWE (AES-256-GCM); `key` has 32 bytes. */
export function seal(value: unknown, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value))).setProtectedHeader(header).encrypt(key);
}

/** Decrypts a value that `seal` has encrypted. Throws where the text was changed, or was encrypted with another key. */
export async function unseal(sealed: string, key: Uint8Array): Promise<unknown> {
  const { plaintext } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: [header.alg],
    contentEncryptionAlgorithms: [header.enc],
  });
  return JSON.parse(new TextDecoder().decode(plaintext));
}
