import { api, mayCall } from '../api/client.ts';
import { currentUser } from '../shell/session.ts';

/** An entry of the audit log about something that whoever is signed in has done. */
export interface Audited {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  /** The page of the console with the entry. */
  readonly page: string;
}

// The log hears of an action by an event, mostly within a second; of what is not audited it never does.
const waitsMs = [200, 400, 800, 1600, 3200, 6400, 12_800];
const shown = new Set<string>();

/**
 * What the audit log has about what was just done: the entries of whoever is signed in that are not older than `since`, by the
 * clock of the API, and that no call has returned before. Empty where it has none after half a minute.
 */
export async function auditedSince(since: Date): Promise<readonly Audited[]> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const found = (await entriesSince(since)).filter(({ id }) => !shown.has(id));
    for (const { id } of found) shown.add(id);
    if (found.length > 0) return found;
  }
  return [];
}

/** The page with what whoever is signed in has done since then. */
export function auditPageSince(since: Date): string {
  const user = currentUser();
  return user && mayCall('listAudit', user.role)
    ? `/system/audit?user=${user.id}&from=${encodeURIComponent(since.toISOString())}`
    : '/account';
}

async function entriesSince(since: Date): Promise<Audited[]> {
  const user = currentUser();
  if (!user) return [];
  if (mayCall('listAudit', user.role)) {
    const { data } = await api.audit.listAudit({ query: { user: user.id, from: since.toISOString(), limit: 20 } });
    return data.flatMap(({ id, at, action, who, object }) => {
      const which = object.id === null ? `user=${user.id}` : `object=${encodeURIComponent(object.id)}`;
      return who.userId === user.id ? [{ id, at, action, page: `/system/audit?${which}` }] : [];
    });
  }
  // Everybody may read what they have done themselves.
  const { data } = await api.users.listActivity({ query: { limit: 20 } });
  return data.flatMap(({ id, at, action, by }) =>
    by === 'you' && new Date(at) >= since ? [{ id, at, action, page: '/account' }] : [],
  );
}
