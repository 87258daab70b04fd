import { createHmac } from 'node:crypto';

/** Find the registration of somebody who enters email and password, without hashing the password for each registration. */
export interface PasswordTags {
  of(email: string, password: string): number;
}

const tagBytes = 3;

/**
 * 24 bits of a hash keyed by `secret`: enough that strangers' registrations of an email do not meet it, too few to tell what
 * the password is. Argon2id decides.
 */
export function createPasswordTags(secret: string): PasswordTags {
  return {
    of: (email, password) =>
      createHmac('sha256', secret).update(`tag\0${email}\0${password}`).digest().readUIntBE(0, tagBytes),
  };
}
