import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import type { User } from './user.ts';

export type ProfileChange = Partial<Pick<User, 'firstName' | 'lastName' | 'phone'>>;

/** Names and phone as the user wants them. */
export function changeProfile(current: User | null, wanted: ProfileChange, now: Date): Decision<User, User> {
  if (!current) throw notFound('user');
  const next = { ...current, ...wanted };
  const isSame =
    next.firstName === current.firstName && next.lastName === current.lastName && next.phone === current.phone;
  return isSame ? unchanged(current) : changed({ ...next, updatedAt: now }, []);
}
