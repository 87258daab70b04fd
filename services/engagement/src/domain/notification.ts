import type { engagementHttp } from '@storefront/contracts';

/** Who a notification is for: one user, by id, or everybody of a role. */
export type Audience = string;
export const administrators: Audience = 'role:admin';

/** A line in somebody's list of notifications. */
export interface Notification {
  readonly id: string;
  readonly audience: Audience;
  readonly category: engagementHttp.Category;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly readAt: Date | null;
  readonly createdAt: Date;
}

/** A notification that is not written yet. */
export type Notice = Pick<Notification, 'audience' | 'category' | 'type' | 'title' | 'body' | 'data'>;

/** Whose notifications somebody sees: their own first, then those of their role. */
export interface Reader {
  readonly userId: string;
  readonly role: Audience | null;
}

export function readerOf(caller: { readonly sub: string; readonly role: string }): Reader {
  return { userId: caller.sub, role: caller.role === 'admin' ? administrators : null };
}

export function audiencesOf(reader: Reader): Audience[] {
  return reader.role === null ? [reader.userId] : [reader.userId, reader.role];
}
