/** The changes of who controls an account: each can be undone for 7 days, by a link in the mail about it. */
export const controlChanges = [
  'email-changed',
  'password-changed',
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-made',
] as const;
