import { describe, expect, it } from 'vitest';
import { isReached, segmentOf } from './segments.ts';

describe('the segment of a user', () => {
  it.each([
    [{ role: 'retail' }, 'retail'],
    [{ role: 'admin' }, 'none'],
    [{ role: 'support' }, 'none'],
    [{ role: 'trade', isApproved: true }, 'trade'],
    [{ role: 'trade', isApproved: false }, 'none'],
    [{ role: 'trade' }, undefined],
  ] as const)('of %j is %s', (user, segment) => {
    expect(segmentOf(user)).toBe(segment);
  });

  it('decides which announcements are for them', () => {
    const reached = (['retail', 'trade', 'none', undefined] as const).map((of) =>
      (['all', 'retail', 'trade'] as const).filter((segment) => isReached(segment, of)),
    );
    expect(reached).toEqual([['all', 'retail'], ['all', 'trade'], [], ['all', 'retail']]);
  });
});
