import { createAdminClient, type AdminClient } from '@storefront/client/admin';
import type { SessionStore, Tokens } from '@storefront/client/session';
import { operations } from 'virtual:operations';
import { language } from '../language/index.ts';

let tokens: Tokens | undefined;

/**
 * The access token is in the memory of this page, and nowhere else. The refresh token is in a cookie that no script can
 * read; the pages of one browser refresh by it one after the other.
 */
const session: SessionStore = {
  read: () => tokens,
  write(next) {
    const hasEnded = tokens !== undefined && next === undefined;
    tokens = next;
    if (hasEnded) onEnded();
  },
  exclusively: (work) => navigator.locks.request('console:refresh', work),
  cookie: { keep: '/v1/auth/console/session', refresh: '/v1/auth/console/refresh' },
};

let onEnded: () => unknown = () => undefined;

/** Calls `ended` when the session is over: it was ended elsewhere, or its token can't be refreshed any more. */
export function whenSessionEnds(ended: () => unknown): void {
  onEnded = ended;
}

/** Every operation of the API, as whoever is signed in. */
export const api: AdminClient = createAdminClient({ baseUrl: '', session, language });

/** Ends this session and forgets its tokens. The other devices of the person stay signed in. */
export async function signOut(): Promise<void> {
  tokens = undefined;
  await fetch('/v1/auth/console/session', { method: 'DELETE' });
}

/** The role that the access token states: `enrolling` for staff who first have to set up a second factor. */
export function roleOfToken(): string | null {
  const [, claims] = tokens?.accessToken.split('.') ?? [];
  if (claims === undefined) return null;
  const { role } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { role?: string };
  return role ?? null;
}

/** Whether somebody of this role may call the operation as staff. */
export function mayCall(id: string, role: string): boolean {
  const info = operations[id];
  return info !== undefined && (info.staff.length === 0 || info.staff.includes(role));
}
