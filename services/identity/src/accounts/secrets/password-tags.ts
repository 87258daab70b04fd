import { createHmac } from 'node:crypto';

/**
 * Tags by which a registration is found, so that a password need not be compared with the hash of each registration.
 */
export interface PasswordTags {
  of(email: string, password: string): number;
}

const tagBytes = 3;

/**
 * A tag is 24 bits of a hash keyed by `secret`. Registrations of the same email by other people rarely have the same
 * tag, and the tag is too short to reveal the password. The password is then checked by argon2id.
 */
export function createPasswordTags(secret: string): PasswordTags {
  return {
    of: (email, password) =>
      createHmac('sha256', secret).update(`tag\0${email}\0${password}`).digest().readUIntBE(0, tagBytes),
  };
}
