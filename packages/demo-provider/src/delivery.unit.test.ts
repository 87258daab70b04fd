import { describe, expect, it } from 'vitest';
import { after, plan, release, type Delivery, type HowToSend } from './delivery.ts';

const now = 1_000_000;
const callback = (eventId: string, paymentId: string | null = 'pay_1') => ({
  eventId,
  type: 'payment.succeeded',
  paymentId,
  body: eventId,
});

function planned(how: HowToSend, ...callbacks: readonly ReturnType<typeof callback>[]): Delivery[] {
  let count = 0;
  return plan(callbacks, how, now, () => `delivery-${(count += 1)}`);
}

describe('a plan', () => {
  it('sends at once, in order', () => {
    expect(planned({}, callback('a'), callback('b'))).toMatchObject([
      { eventId: 'a', dueAt: now, isHeld: false, state: 'waiting' },
      { eventId: 'b', dueAt: now, isHeld: false, state: 'waiting' },
    ]);
  });

  it('sends late and twice', () => {
    const both = planned({ late: 5, twice: true }, callback('a'));
    expect(both.map(({ id, eventId, dueAt }) => [id, eventId, dueAt])).toEqual([
      ['delivery-1', 'a', now + 5000],
      ['delivery-2', 'a', now + 5000],
    ]);
  });

  it('holds the earlier of two back until the later one is delivered', () => {
    const both = planned({ outOfOrder: true }, callback('a'), callback('b'));
    expect(both.map(({ dueAt, isHeld }) => [dueAt, isHeld])).toEqual([
      [now + 60_000, true],
      [now, false],
    ]);
    expect(release(both, both[1] as Delivery, now + 10)[0]).toMatchObject({ dueAt: now + 10, isHeld: false });
  });

  it('holds a single one back until the next of its payment, not until its own double or that of another payment', () => {
    const doubles = planned({ outOfOrder: true, twice: true }, callback('a'));
    const another = plan([callback('b', 'pay_2'), callback('c', null)], {}, now, () => 'another');
    for (const delivered of [...doubles, ...another])
      expect(release([...doubles, ...another], delivered, now + 10)).toEqual([...doubles, ...another]);
    const [next] = plan([callback('d')], {}, now, () => 'next') as [Delivery];
    expect(release([...doubles, next], next, now + 10).map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
  });
});

describe('an attempt', () => {
  const [first] = planned({}, callback('a')) as [Delivery];

  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [302, 'waiting'],
    [400, 'refused'],
    [401, 'waiting'],
    [404, 'waiting'],
    [408, 'waiting'],
    [409, 'waiting'],
    [410, 'refused'],
    [413, 'refused'],
    [429, 'waiting'],
    [500, 'waiting'],
    [503, 'waiting'],
  ])('that is answered %d leaves it %s', (status, state) => {
    expect(after(first, { at: now, status })).toMatchObject({ state, attempts: [{ at: now, status }] });
  });

  it('that is not answered is made again after 1 s, 5 s, 30 s, and so on, for a day', () => {
    let delivery = first;
    const pauses: number[] = [];
    while (delivery.state === 'waiting') {
      const at = delivery.dueAt;
      delivery = after(delivery, { at, error: 'refused' });
      if (delivery.state === 'waiting') pauses.push((delivery.dueAt - at) / 1000);
    }
    expect(pauses.slice(0, 8)).toEqual([1, 5, 30, 120, 600, 1800, 3600, 3600]);
    expect(delivery.state).toBe('given-up');
    const day = 24 * 60 * 60;
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect([total <= day, total > day - 3600]).toEqual([true, true]);
  });
});
