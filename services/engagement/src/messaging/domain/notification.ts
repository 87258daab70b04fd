import { engagementHttp, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { MessageSegment } from './segments.ts';

/** Who sees a notification: one user (the user's id), or every user of a role (`role:` and the role's name). */
export type Audience = string;

const rolePrefix = 'role:';
export const administrators: Audience = `${rolePrefix}admin`;

export function isRole(audience: Audience): boolean {
  return audience.startsWith(rolePrefix);
}

/** An entry in a list of in-app notifications. */
export const storedNotification = z.object({
  id: z.string(),
  audience: z.string(),
  category: engagementHttp.category,
  type: z.string(),
  title: z.string(),
  body: z.string(),
  data: z.custom<Record<string, unknown>>(),
  readAt: z.date().nullable(),
  createdAt: z.date(),
});
export type Notification = StateOf<typeof storedNotification>;

/** A notification that is not stored yet. */
export type NewNotification = Pick<Notification, 'audience' | 'category' | 'type' | 'title' | 'body' | 'data'>;

/** A notification to store in the list of its audience. */
export interface AddedNotification {
  readonly notification: Notification;
  /** The segment of the user who gets the notification, for statistics. */
  readonly segment: MessageSegment | undefined;
  /** The facts to publish once the notification is stored. */
  readonly facts: readonly Fact[];
}

/**
 * A user who reads notifications. The user sees their own ones and, where their role has notifications, those of the
 * role.
 */
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
