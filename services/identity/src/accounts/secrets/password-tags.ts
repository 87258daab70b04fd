import { createHmac } from 'node:crypto';

/** Tags to find a registration by email and password without comparing the password with the hash of each registration. */
export interface PasswordTags {
  of(email: string, password: string): number;
}

const tagBytes = 3;

/**
 * 24 bits of a hash keyed by `secret`: enough that registrations of the same email by others rarely have the same tag, too few to
 * reveal the password. The password is then checked by argon2id.
 */
export function createPasswordTags(secret: string): PasswordTags {
  return {
    of: (email, password) =>
      createHmac('sha256', secret).update(`tag\0${email}\0${password}`).digest().readUIntBE(0, tagBytes),
  };
}
