import { isDeepStrictEqual } from 'node:util';
import { changed, fact, identityEvents, notFound, unchanged, type Decision, type Locale } from '@storefront/contracts';
import { personOf, type User } from '../../domain/user.ts';

/** The fields to change. Null removes a phone, a language or a time zone. */
export type ProfileChange = Partial<Pick<User, 'firstName' | 'lastName' | 'phone'>> & {
  readonly locale?: Locale | null | undefined;
  readonly timeZone?: string | null | undefined;
};

/** Sets only the fields that `change` contains. Other services learn of all but the phone. */
export function setProfile(current: User | null, change: ProfileChange, now: Date): Decision<User, User> {
  if (!current) throw notFound('user');
  const { locale: _locale, timeZone: _timeZone, ...others } = current;
  const { locale = current.locale, timeZone = current.timeZone, ...entered } = change;
  const next = { ...others, ...entered, ...(locale && { locale }), ...(timeZone && { timeZone }) };
  if (isDeepStrictEqual(next, current)) return unchanged(current);
  const person = personOf(next);
  const isKnown = isDeepStrictEqual(person, personOf(current));
  return changed({ ...next, updatedAt: now }, isKnown ? [] : [fact(identityEvents.userChanged, current.id, person)]);
}
