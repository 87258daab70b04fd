import { isStaff, type identityHttp } from '@storefront/contracts';

/** The segments of people in statistics about messages. `guest` is an address without a known user. */
export const messageSegments = ['trade', 'retail', 'guest'] as const;
export type MessageSegment = (typeof messageSegments)[number];

/**
 * Which announcements a user gets: those to consumers (`retail`), those to trade accounts, or none. Staff get none. A
 * trade account gets announcements only while it is approved and not suspended.
 */
export const audienceSegments = ['retail', 'trade', 'none'] as const;
export type AudienceSegment = (typeof audienceSegments)[number];

interface PublishedUser {
  readonly role: identityHttp.Role;
  /** Whether a trade account is approved and not suspended. Missing where the event does not state this. */
  readonly isApproved?: boolean | undefined;
}

/** Returns the segment of the user whom an event is about; undefined where the event does not decide the segment. */
export function segmentOf({ role, isApproved }: PublishedUser): AudienceSegment | undefined {
  if (role === 'retail') return 'retail';
  if (isStaff(role)) return 'none';
  if (isApproved === undefined) return undefined;
  return isApproved ? 'trade' : 'none';
}

/** Whether an announcement to `segment` is for a user. A user whose segment is not known yet counts as a consumer. */
export function isReached(segment: 'all' | 'retail' | 'trade', of: AudienceSegment = 'retail'): boolean {
  return of !== 'none' && (segment === 'all' || segment === of);
}
