/**
 * The changes that may give somebody else control over an account. The mail about such a change has a link that undoes
 * it within 7 days.
 */
export const controlChanges = [
  'email-changed',
  'password-changed',
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-made',
] as const;
