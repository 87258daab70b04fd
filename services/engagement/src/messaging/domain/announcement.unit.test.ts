import { operator } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  beginAnnouncement,
  countsOf,
  finishAnnouncement,
  holdAnnouncement,
  stopAnnouncement,
  type Announcement,
} from './announcement.ts';

const now = new Date('2026-11-21T09:30:00Z');
const fields = {
  id: 'anc_1',
  campaignId: 'camp_1',
  segment: 'all',
  channels: ['IN_APP', 'EMAIL'],
  title: 'Teapots',
  body: 'A tenth off.',
  html: null,
  subject: null,
} as const satisfies Partial<Announcement>;

function stateOf(decision: object): Announcement {
  if (!('state' in decision)) throw new Error('nothing changed');
  return (decision as { state: Announcement }).state;
}
const factsOf = (decision: object) => (decision as { facts: { type: string; data: object }[] }).facts;
const begun = beginAnnouncement({ ...fields, channels: [...fields.channels] }, 0, operator, now).state;
const page = { from: '', to: 'user_5', recipients: 5, shown: 4, isThrough: true };
const through = stateOf(advance(begun, page));
const stopped = stateOf(stopAnnouncement(begun, 'camp_1', operator));

const noneSkipped = { no_consent: 0, address_bounced: 0, announcement_stopped: 0, recipient_erased: 0 };
const none = {
  delivered: 0,
  failed: 0,
  switched_off_by_user: 0,
  address_bounced: 0,
  announcement_stopped: 0,
  recipient_erased: 0,
};

describe('an announcement', () => {
  it('begins, with an audit entry that lacks its text', () => {
    const { facts } = beginAnnouncement({ ...fields, channels: [...fields.channels] }, 0, operator, now);
    expect(JSON.stringify(facts)).toContain('campaign-announced');
    expect(JSON.stringify(facts)).not.toContain('A tenth off');
  });

  it('is one of 100 of its campaign at most', () => {
    const begin = (present: number) =>
      beginAnnouncement({ ...fields, channels: [...fields.channels] }, present, operator, now).state.number;
    expect([begin(0), begin(99)]).toEqual([1, 100]);
    expect(() => begin(100)).toThrow(expect.objectContaining({ code: 'too_many_announcements' }));
  });

  it('counts the people of a position once, also where it was stopped meanwhile', () => {
    expect(through).toMatchObject({ position: 'user_5', recipients: 5, shown: 4, isThrough: true });
    expect(advance(through, page)).toMatchObject({ kind: 'unchanged' });
    expect(stateOf(advance(stopped, page))).toMatchObject({ status: 'stopped', recipients: 5, shown: 4 });
    const over = stateOf(finishAnnouncement(stopped, {}, now));
    expect(advance(over, page)).toMatchObject({ kind: 'unchanged' });
  });

  it('belongs to one instance until that has ended', () => {
    const held = stateOf(holdAnnouncement(begun, 'mine', null));
    expect(holdAnnouncement(held, 'mine', null)).toMatchObject({ kind: 'unchanged', result: held });
    expect(holdAnnouncement(held, 'other', null)).toMatchObject({ result: null });
    expect(holdAnnouncement(held, 'other', 'third')).toMatchObject({ result: null });
    expect(holdAnnouncement(held, 'other', 'mine')).toMatchObject({ result: { holder: 'other' } });
    expect(holdAnnouncement(stateOf(finishAnnouncement(through, {}, now)), 'mine', null)).toMatchObject({
      result: null,
    });
  });

  it('is stopped once, and only under its campaign', () => {
    expect(JSON.stringify(factsOf(stopAnnouncement(begun, 'camp_1', operator)))).toContain('announcement-stopped');
    expect(stopAnnouncement(stopped, 'camp_1')).toMatchObject({ kind: 'unchanged', result: stopped });
    for (const current of [null, begun])
      expect(() => stopAnnouncement(current, 'camp_2')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('finishes when nobody is left and nothing is pending', () => {
    expect(finishAnnouncement(begun, {}, now)).toMatchObject({ result: false });
    expect(finishAnnouncement(through, { pending: 1 }, now)).toMatchObject({ result: false });
    const finished = stateOf(finishAnnouncement({ ...through, holder: 'mine' }, { delivered: 2, failed: 1 }, now));
    expect(finished).toMatchObject({
      status: 'finished',
      finishedAt: now,
      holder: null,
      mails: { ...none, delivered: 2, failed: 1 },
    });
    expect(stateOf(finishAnnouncement(stopped, {}, now))).toMatchObject({ status: 'stopped', finishedAt: now });
    // Its deliveries are gone by then, or tried again.
    expect(countsOf(finished, {})).toEqual({ sent: 6, skipped: { ...noneSkipped, no_consent: 3 }, failed: 1 });
    expect(finishAnnouncement(finished, { delivered: 9 }, now)).toMatchObject({ kind: 'unchanged', result: false });
  });

  it('has counts that add up to a message for each person and channel', () => {
    const count = fc.nat(1000);
    fc.assert(
      fc.property(count, count, count, count, count, (shown, delivered, failed, pending, unwanted) => {
        const recipients = shown + delivered + failed + pending + unwanted;
        const running = { ...through, recipients, shown };
        const { sent, skipped, failed: lost } = countsOf(running, { delivered, failed, pending });
        expect(sent + skipped.no_consent + lost + pending).toBe(recipients * 2);
        expect([sent, lost]).toEqual([shown + delivered, failed]);
      }),
    );
    // The mails of a page are stored before its people are counted.
    expect(countsOf(begun, { pending: 5, delivered: 1 })).toEqual({ sent: 1, skipped: noneSkipped, failed: 0 });
  });

  it('says why messages were skipped, also after its deliveries are gone', () => {
    const suppressed = { switched_off_by_user: 1, address_bounced: 1, announcement_stopped: 0, recipient_erased: 1 };
    const counts = {
      sent: 5,
      skipped: { no_consent: 2, address_bounced: 1, announcement_stopped: 0, recipient_erased: 1 },
      failed: 0,
    };
    expect(countsOf(through, { delivered: 1, pending: 1, ...suppressed })).toEqual(counts);
    const finished = stateOf(finishAnnouncement(through, { delivered: 2, ...suppressed }, now));
    expect(countsOf(finished, {})).toEqual({ ...counts, sent: 6 });
  });
});
