import { dictionary } from '@zxcvbn-ts/language-common';

/** Whether a password, in any case, is one of the 18,000 of at least `minLength` characters that are guessed first. */
export function createCommonPasswords(minLength: number): (password: string) => boolean {
  const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength));
  return (password) => common.has(password.toLowerCase());
}
