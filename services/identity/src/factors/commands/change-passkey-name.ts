import type { Passkey } from '../domain/factors.ts';
import { renamePasskey } from '../domain/passkeys.ts';
import type { FactorStore } from '../store/factors.ts';

/** Renames a passkey. Throws `not_found` where the user has none with that id. */
export async function changePasskeyName(
  { factors }: { readonly factors: FactorStore },
  userId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const { result } = await factors.change(userId, (current) => renamePasskey(current, id, name));
  return result;
}
