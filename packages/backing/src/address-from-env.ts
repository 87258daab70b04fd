import { BackingError } from './error.ts';

/**
 * Reads a server's address from a variable, together with a description for people that contains no password. Undefined
 * if the variable is not set. Throws a BackingError if the address has another protocol than those allowed.
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
