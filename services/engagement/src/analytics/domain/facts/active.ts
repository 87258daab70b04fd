import type { PeopleSet } from './count.ts';
import type { Fact } from './fact.ts';

/** What a user did makes the user active. A visitor who is not logged in is none of the users. */
export function active({ segment }: Pick<Fact, 'segment'>): readonly PeopleSet[] {
  return segment === 'guest' ? [] : [{ set: 'active', of: '' }];
}
