import { changed, notFound, unchanged, type Decision } from '@storefront/contracts';
import type { User } from '../../domain/user.ts';

export type ProfileChange = Partial<Pick<User, 'firstName' | 'lastName' | 'phone'>>;

/** Sets only the names and the phone that `change` contains. */
export function setProfile(current: User | null, change: ProfileChange, now: Date): Decision<User, User> {
  if (!current) throw notFound('user');
  const next = { ...current, ...change };
  const isSame =
    next.firstName === current.firstName && next.lastName === current.lastName && next.phone === current.phone;
  return isSame ? unchanged(current) : changed({ ...next, updatedAt: now }, []);
}
