import { createAdminClient, type AdminClient } from '@storefront/client/admin';
import { consoleSession } from '@storefront/client/session';
import { operations } from 'virtual:operations';
import { language } from '../language/index.ts';
import { isFor } from './operation-info.ts';

/** The access token of this page is in its memory; the refresh token is in a cookie, which the pages of a browser use one after the other. */
export const tokens = consoleSession();

let aheadMs = 0;

/** What time it is by the clock of the API, to within a second. */
export const timeOfApi = (): Date => new Date(Date.now() + aheadMs);

async function fetchAndNoteTime(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const time = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds: on average half a second more.
  if (!Number.isNaN(time)) aheadMs = time + 500 - Date.now();
  return response;
}

/** Every operation of the API, as whoever is signed in. */
export const api: AdminClient = createAdminClient({
  baseUrl: '',
  session: tokens,
  language,
  fetch: fetchAndNoteTime,
});

/** The role that the access token states: `enrolling` for staff who first have to set up a second factor. */
export async function roleOfToken(): Promise<string | null> {
  const [, claims] = (await tokens.read())?.accessToken.split('.') ?? [];
  if (claims === undefined) return null;
  const { role } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { role?: string };
  return role ?? null;
}

/** Whether somebody of this role may call the operation as staff. */
export const mayCall = (id: string, role: string): boolean => isFor(operations[id], role);
