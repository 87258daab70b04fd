import { compactDecrypt } from 'jose';
import { z } from 'zod';
import type { OpenedCode } from '../domain/templates/codes.ts';

const longCode = /^[\w-]{43}$/;
const sealed = z.object({
  code: z.union([z.string().regex(/^\d{6}$/), z.string().regex(longCode)]).nullable(),
  link: z.string().regex(longCode).nullable().default(null),
});

/**
 * Decrypts a code (compact JWE) that identity encrypted for this service. Throws where the code was encrypted with
 * another key.
 */
export async function openSealedCode(jwe: string, key: Uint8Array): Promise<OpenedCode> {
  const { plaintext } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  return sealed.parse(JSON.parse(new TextDecoder().decode(plaintext)));
}
