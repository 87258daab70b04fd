import { compactDecrypt } from 'jose';
import { z } from 'zod';

const sealed = z.object({ code: z.string().regex(/^\d{6}$/) });

/** Opens a code that identity sealed for this service; throws where it was not sealed with this key. */
export async function openSealedCode(jwe: string, key: Uint8Array): Promise<string> {
  const { plaintext } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  return sealed.parse(JSON.parse(new TextDecoder().decode(plaintext))).code;
}
