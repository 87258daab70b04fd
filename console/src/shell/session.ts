import { ApiError, type User } from '@storefront/client';
import { useSyncExternalStore } from 'react';
import { api, roleOfToken, signOut, whenSessionEnds } from '../api/client.ts';
import { queries } from '../api/reads.ts';

/** Who is at the console. `enrolling`: staff who first have to set up a second factor. */
export type Session =
  | { readonly kind: 'unknown' }
  /** `was`: whose session has ended while they worked. Their page stays as it is below the page to sign in. */
  | { readonly kind: 'nobody'; readonly why?: 'idle' | 'ended' | 'not-staff'; readonly was?: User }
  | { readonly kind: 'enrolling' }
  | { readonly kind: 'staff'; readonly user: User };

let session: Session = { kind: 'unknown' };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

/** Whose page it is: of whoever is signed in, or was until the session ended. */
export function userOf(of: Session): User | undefined {
  return of.kind === 'staff' ? of.user : of.kind === 'nobody' ? of.was : undefined;
}

/** The role of whose page it is; empty where it is nobody's. */
export function useRole(): string {
  return userOf(useSession())?.role ?? '';
}

const staffRoles = new Set(['admin', 'catalog', 'marketing', 'sales', 'support']);
const isStaff = (role: string): boolean => staffRoles.has(role);

/** Finds out whether the cookie of this browser has a session. */
export async function findSession(): Promise<void> {
  try {
    const user = await api.users.getMe();
    if (isStaff(user.role)) become({ kind: 'staff', user });
    else await leave('not-staff');
  } catch (error) {
    if (roleOfToken() === 'enrolling') become({ kind: 'enrolling' });
    else if (error instanceof ApiError && error.status === 401) become({ kind: 'nobody' });
    else throw error;
  }
}

/** Ends the session, and says why on the page to sign in. */
export async function leave(why?: 'idle' | 'not-staff'): Promise<void> {
  const was = why === 'idle' ? userOf(session) : undefined;
  await signOut().catch(() => undefined);
  if (!was) queries.clear();
  become({ kind: 'nobody', ...(why && { why }), ...(was && { was }) });
  channel.postMessage('signed-out'); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel has its origin alone
}

const idleMs = 30 * 60 * 1000;
const activeMs = 5 * 60 * 1000;
const channel = new BroadcastChannel('console');
let lastUse = Date.now();
let lastRefresh = Date.now();

/**
 * Signs out after half an hour in which nobody has used any page of the console, and has the API know of the use before
 * that, since it ends an idle session too.
 */
export function watchUse(): void {
  const use = () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its origin alone
    if (Date.now() - lastUse > 1000) channel.postMessage('used');
    lastUse = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const)
    addEventListener(event, use, { passive: true, capture: true });
  channel.addEventListener('message', ({ data }) => {
    if (data === 'used') lastUse = Date.now();
    if (data === 'signed-out' && session.kind === 'staff') become({ kind: 'nobody' });
  });
  const look = () => {
    if (session.kind !== 'staff') return;
    const now = Date.now();
    if (now - lastUse > idleMs) void leave('idle');
    else if (lastUse > lastRefresh && now - lastRefresh > activeMs) {
      lastRefresh = now;
      void api.users.getMe().catch(() => undefined);
    }
  };
  setInterval(look, 15_000);
  // A page that slept may have been away for longer than the session lives.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
  whenSessionEnds(() => session.kind === 'staff' && become({ kind: 'nobody', why: 'ended', was: session.user }));
}
