import { newId } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { repeatWhenDue } from './repeat-request.ts';
import { erasureRequested, newErasure, type UserErasure } from './data-request.ts';

const user = { id: newId('user'), email: 'ada@example.com', role: 'retail' } as const;
const now = new Date('2026-11-21T09:30:00Z');
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function check(erasure: UserErasure, at: Date) {
  return repeatWhenDue(erasure, at, ({ waitingFor }) => erasureRequested(user, [], { by: 'user', waitingFor }));
}

it('publishes a request again after 5 minutes, 30 minutes and then each hour, once at each time', () => {
  let current = newErasure(user.id, now);
  const published: number[] = [];
  for (let minute = 0; minute <= 220; minute += 1) {
    // Several instances check it.
    for (let instance = 0; instance < 3; instance += 1) {
      const decision = check(current, after(minute));
      if (decision.kind !== 'changed') continue;
      current = decision.state;
      published.push(...decision.facts.map(() => minute));
    }
  }
  expect(published).toEqual([5, 35, 95, 155, 215]);
});
