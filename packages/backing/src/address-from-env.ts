import { BackingError } from './error.ts';

/**
 * Reads a server's address from a variable. Also returns a description for people, without the password. Returns
 * undefined if the variable is not set. Throws a BackingError if the address has a protocol that is not allowed.
 */
export function addressFromEnv(
  env: NodeJS.ProcessEnv,
  variable: string,
  protocols: readonly string[],
): { url: string; described: string } | undefined {
  const url = env[variable];
  if (!url) return undefined;
  const [, protocol, host] = /^([a-z+]+:)\/\/(?:[^@/]*@)?([^/?]+)/.exec(url) ?? [];
  if (!protocol || !protocols.includes(protocol)) {
    throw new BackingError(
      `${variable} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}.`,
    );
  }
  return { url, described: `${host} (from ${variable})` };
}
