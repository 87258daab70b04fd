import { ApiError, type User } from '@storefront/client';
import { useSyncExternalStore } from 'react';
import { api, roleOfToken, tokens } from '../api/client.ts';
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

/** Who is signed in; undefined where nobody is. */
export function currentUser(): User | undefined {
  return session.kind === 'staff' ? session.user : undefined;
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
    if (!isStaff(user.role)) return await leave('not-staff');
    // What was read by somebody else is not for whoever signs in after them.
    if (user.id !== userOf(session)?.id) queries.clear();
    noteUse();
    become({ kind: 'staff', user });
  } catch (error) {
    if ((await roleOfToken()) === 'enrolling') become({ kind: 'enrolling' });
    else if (error instanceof ApiError && error.status === 401) become({ kind: 'nobody' });
    else throw error;
  }
}

/**
 * Ends the session in all pages of this browser, and says why on the page to sign in. Throws where somebody wants to sign out
 * and the API can't be told: they are still signed in then.
 */
export async function leave(why?: 'idle' | 'not-staff'): Promise<void> {
  const was = why === 'idle' ? userOf(session) : undefined;
  if (!was) localStorage.removeItem(lastUseKey);
  try {
    await api.auth.endConsoleSession();
  } catch (error) {
    if (why === undefined) throw error;
    await tokens.write(undefined);
  }
  if (!was) queries.clear();
  become({ kind: 'nobody', ...(why && { why }), ...(was && { was }) });
}

const idleMs = 30 * 60 * 1000;
const activeMs = 5 * 60 * 1000;
/** When any page of the console in this browser was used last; removed by whoever signs out. */
const lastUseKey = 'console.used';
let lastUse = Date.now();
let lastRefresh = Date.now();

function noteUse(): void {
  lastUse = Date.now();
  localStorage.setItem(lastUseKey, String(lastUse));
}

/**
 * Signs out after half an hour in which nobody has used any page of the console, and has the API know of the use before
 * that, since it ends an idle session too.
 */
export function watchUse(): void {
  const use = () => session.kind === 'staff' && Date.now() - lastUse > 1000 && noteUse();
  for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const)
    addEventListener(event, use, { passive: true, capture: true });
  const look = () => {
    if (session.kind !== 'staff') return;
    const now = Date.now();
    lastUse = Math.max(lastUse, Number(localStorage.getItem(lastUseKey)));
    if (now - lastUse > idleMs) void leave('idle');
    else if (lastUse > lastRefresh && now - lastRefresh > activeMs) {
      lastRefresh = now;
      void api.users.getMe().catch(() => undefined);
    }
  };
  setInterval(look, 15_000);
  // A page that slept may have been away for longer than the session lives.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
  tokens.subscribe((held) => {
    if (!held) ended();
  });
}

/** The session is over: it was ended here, in another page or by the API, or its token can't be refreshed any more. */
function ended(): void {
  if (session.kind === 'enrolling') become({ kind: 'nobody' });
  if (session.kind !== 'staff') return;
  // Whoever signs out in one page leaves nothing behind in the others.
  const isMeant = localStorage.getItem(lastUseKey) === null;
  if (isMeant) queries.clear();
  become(isMeant ? { kind: 'nobody' } : { kind: 'nobody', why: 'ended', was: session.user });
}
