import { compactDecrypt } from 'jose';
import { z } from 'zod';

const sealed = z.object({ code: z.string().regex(/^\d{6}$/) });

/**
 * Decrypts a code (compact JWE) that identity encrypted for this service; throws where it was encrypted with another
 * key.
 */
export async function openSealedCode(jwe: string, key: Uint8Array): Promise<string> {
  const { plaintext } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  return sealed.parse(JSON.parse(new TextDecoder().decode(plaintext))).code;
}
