import { calendarOf } from '@storefront/calendar';
import { expect, it } from 'vitest';
import { kinds, type FactKindName } from '../facts/kinds.ts';
import { activityOf } from './repeated-activity.ts';
import { shopDaysOf } from './shop-days.ts';

const shopDays = shopDaysOf(calendarOf('Europe/Berlin'));
const fact = {
  kind: 'address-changed' as FactKindName,
  at: new Date('2026-11-23T12:00:00Z'),
  segment: 'retail' as const,
  by: { userId: 'user_1' },
  data: {},
};
const isSame = (other: Partial<typeof fact>) =>
  activityOf({ ...fact, ...other }, shopDays) === activityOf(fact, shopDays);

it('is the same for facts of a user, a segment and a quarter of an hour', () => {
  expect(activityOf(fact, shopDays)).not.toBeNull();
  expect(isSame({ at: new Date('2026-11-23T12:14:59.999Z'), kind: 'customer-saved' })).toBe(true);
  expect(isSame({ at: new Date('2026-11-23T12:15:00Z') })).toBe(false);
  expect(isSame({ at: new Date('2026-11-24T12:00:00Z') })).toBe(false);
  expect(isSame({ segment: 'trade' as never })).toBe(false);
  expect(isSame({ by: { userId: 'user_2' } })).toBe(false);
});

it('is of kinds that add nothing else to any report, and of facts with a person', () => {
  const named = Object.keys(kinds).filter(
    (kind) => activityOf({ ...fact, kind: kind as FactKindName }, shopDays) !== null,
  );
  expect(named).toEqual(['address-changed', 'customer-saved', 'category-viewed', 'custom']);
  expect(activityOf({ ...fact, by: null }, shopDays)).toBeNull();
});
