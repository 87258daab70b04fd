import type { AudienceSegment } from './audience-segment.ts';

/** Of whom messages are, in statistics: of trade accounts, of retail users, and of addresses of no known user. */
export const messageSegments = ['trade', 'retail', 'guest'] as const;
export type MessageSegment = (typeof messageSegments)[number];

/** What is known of a user who gets messages. */
interface KnownRecipient {
  readonly role?: 'retail' | 'trade' | 'admin';
  readonly segment?: AudienceSegment;
}

/**
 * The segment of messages to a user; undefined for an administrator, and where nobody has said who the user is. The former version
 * stored no role; then the audience of announcements decides, which has nobody who only applies for a trade account.
 */
export function messageSegmentOf({ role, segment }: KnownRecipient): MessageSegment | undefined {
  if (role !== undefined) return role === 'admin' ? undefined : role;
  return segment === 'none' ? undefined : segment;
}
