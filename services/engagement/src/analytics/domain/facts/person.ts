/** A user with an account, or a visitor without one. */
export type Person = { readonly userId: string } | { readonly anonymousId: string };

/** A text that identifies the user or visitor. No two users or visitors have the same. */
export function nameOf(by: Person): string {
  return 'userId' in by ? `user:${by.userId}` : `anonymous:${by.anonymousId}`;
}

/** The id of the user, or null for a visitor without an account. */
export function userOf(by: Person): string | null {
  return 'userId' in by ? by.userId : null;
}
