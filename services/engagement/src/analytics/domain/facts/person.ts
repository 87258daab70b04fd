import type { StatedFact } from './fact.ts';

/** Somebody by whom facts are. */
export type Somebody = NonNullable<StatedFact['by']>;

/** Another one for each user and each visitor. */
export function nameOf(by: Somebody): string {
  return 'userId' in by ? `user:${by.userId}` : `anonymous:${by.anonymousId}`;
}

/** The user, or null for a visitor without an account. */
export function userOf(by: Somebody): string | null {
  return 'userId' in by ? by.userId : null;
}
