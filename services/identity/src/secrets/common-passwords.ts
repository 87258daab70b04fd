import { dictionary } from '@zxcvbn-ts/language-common';

/** Whether a password is among those that are guessed first: 18,000 of at least `minLength` characters, in any case. */
export function createCommonPasswords(minLength: number): (password: string) => boolean {
  const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength));
  return (password) => common.has(password.toLowerCase());
}
