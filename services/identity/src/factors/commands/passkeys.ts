import { audited, identityErrors, notFound, withFacts, type Actor, type identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { Passkey } from '../domain/factors.ts';
import { addPasskey, assertRoomForPasskey, renamePasskey } from '../domain/passkeys.ts';
import { requireFreshProof } from './require-fresh-proof.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorNeeds } from './factor-needs.ts';

/** The options for a browser to make a passkey. They are valid for this session and for one use. */
export async function passkeyCreationOptions(needs: FactorNeeds, caller: CallerSession) {
  await requireFreshProof(needs, caller);
  const user = (await needs.users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const factors = (await needs.factors.load(user.id))?.state ?? null;
  assertRoomForPasskey(factors);
  const challenge = needs.webauthn.newChallenge();
  await needs.challenges.add(challenge, useOf(caller), needs.now());
  const owner = { id: user.id, email: user.email, name: `${user.firstName} ${user.lastName}` };
  return needs.webauthn.creationOptions(challenge, owner, factors?.passkeys ?? []);
}

/** Adds the passkey that the browser has made. The recovery codes are null unless this is the user's first factor. */
export async function registerPasskey(
  needs: FactorNeeds,
  caller: CallerSession,
  { id, name, response }: { id: string; name: string; response: z.output<typeof identityHttp.passkeyCreation> },
  actor: Actor,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { users, sessions, challenges, recoveryCodes, webauthn, now } = needs;
  const user = (await users.load(caller.sub))?.state;
  if (!user) throw notFound('user');
  const challenge = webauthn.challengeOf(response);
  // The challenge was made after a fresh proof of this session, so no other proof is required here.
  if (challenge === null || !(await challenges.use(challenge, useOf(caller), now())))
    throw identityErrors.invalidFactor();
  const credential = await webauthn.verifyCreation(challenge, response);
  const createdAt = now();
  const passkey: Passkey = { id, name, ...credential, createdAt, lastUsedAt: null };
  const made = recoveryCodes.create(user.id);
  const added = audited('identity', actor, 'factor-added', {
    object: { type: 'user', id: user.id },
    details: { factor: 'passkey', passkey: id },
  });
  const change = await needs.controlChanges.newRecord('passkey-added');
  const isFirst = await needs.controlChanges.make(caller, change, (account, revertLink) => ({
    factors: withFacts(addPasskey(account.factors, account.user, passkey, made.hashes, revertLink), added),
  }));
  await sessions.prove(caller, { authenticatedAt: createdAt, secondFactorAt: createdAt });
  return { passkey, recoveryCodes: isFirst ? made.shown : null };
}

/** Renames a passkey. Throws `not_found` where the user has none with that id. */
export async function changePasskeyName(
  { factors }: FactorNeeds,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  return (await factors.change(userId, (current) => renamePasskey(current, id, name))).result;
}

function useOf({ sid }: CallerSession) {
  return { purpose: 'register', boundTo: sid } as const;
}
