/**
 * Which announcements a user gets: those to consumers, those to trade accounts, or none. Administrators get none, and a trade
 * account gets them while it is approved and not suspended.
 */
export type AudienceSegment = 'retail' | 'trade' | 'none';

interface Told {
  readonly role: 'retail' | 'trade' | 'admin';
  /** Of a trade account; missing where the event does not say it. */
  readonly isApproved?: boolean | undefined;
}

/** The segment of a user of whom an event tells; undefined where the event does not decide it. */
export function segmentOf({ role, isApproved }: Told): AudienceSegment | undefined {
  if (role === 'retail') return 'retail';
  if (role === 'admin') return 'none';
  if (isApproved === undefined) return undefined;
  return isApproved ? 'trade' : 'none';
}

/** Whether an announcement to `segment` is for a user. One of whom nobody has said it yet counts as a consumer. */
export function isReached(segment: 'all' | 'retail' | 'trade', of: AudienceSegment = 'retail'): boolean {
  return of !== 'none' && (segment === 'all' || segment === of);
}
