/** The segments of people in statistics about messages; `guest` is an address of no known user. */
export const messageSegments = ['trade', 'retail', 'guest'] as const;
export type MessageSegment = (typeof messageSegments)[number];

/**
 * Which announcements a user gets: those to consumers, those to trade accounts, or none. Administrators get none, and a
 * trade account gets them while it is approved and not suspended.
 */
export const audienceSegments = ['retail', 'trade', 'none'] as const;
export type AudienceSegment = (typeof audienceSegments)[number];

interface PublishedUser {
  readonly role: 'retail' | 'trade' | 'admin';
  /** Of a trade account; missing where the event does not state it. */
  readonly isApproved?: boolean | undefined;
}

/** The segment of the user of an event; undefined where the event does not decide it. */
export function segmentOf({ role, isApproved }: PublishedUser): AudienceSegment | undefined {
  if (role === 'retail') return 'retail';
  if (role === 'admin') return 'none';
  if (isApproved === undefined) return undefined;
  return isApproved ? 'trade' : 'none';
}

/** Whether an announcement to `segment` is for a user. A user whose segment is not known yet counts as a consumer. */
export function isReached(segment: 'all' | 'retail' | 'trade', of: AudienceSegment = 'retail'): boolean {
  return of !== 'none' && (segment === 'all' || segment === of);
}
