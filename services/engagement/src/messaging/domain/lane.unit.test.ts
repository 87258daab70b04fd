import { describe, expect, it } from 'vitest';
import { dueAtOf, dueFrom, laneOf } from './lane.ts';

const at = new Date('2026-11-21T09:30:00Z');

describe('the lane of a delivery', () => {
  it('is that of announcements where it names one, and else the transactional one', () => {
    expect(laneOf({ announcementId: 'anc_1' })).toBe('announcement');
    expect(laneOf({})).toBe('transactional');
  });

  it('has its own field for when it is due, so that the former version finds no announcement', () => {
    expect(dueFrom({ announcementId: 'anc_1' }, at)).toEqual({ dueAt: null, announceAt: at });
    expect(dueFrom({}, at)).toEqual({ dueAt: at });
    for (const delivery of [{ announcementId: 'anc_1' }, {}]) {
      expect(dueAtOf({ ...delivery, ...dueFrom(delivery, at) })).toEqual(at);
      expect(dueAtOf({ ...delivery, ...dueFrom(delivery, null) })).toBeNull();
    }
    expect(dueAtOf({ announcementId: 'anc_1', dueAt: at })).toBeNull();
  });
});
