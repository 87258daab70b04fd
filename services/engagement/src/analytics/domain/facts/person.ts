/** A user, or a visitor without an account. */
export type Person = { readonly userId: string } | { readonly anonymousId: string };

/** A name that no other user or visitor has. */
export function nameOf(by: Person): string {
  return 'userId' in by ? `user:${by.userId}` : `anonymous:${by.anonymousId}`;
}

/** The user, or null for a visitor without an account. */
export function userOf(by: Person): string | null {
  return 'userId' in by ? by.userId : null;
}
