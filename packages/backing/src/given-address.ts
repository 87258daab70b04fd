import { BackingError } from './error.ts';

/**
 * The address that a variable holds, with words for it that hold no password; undefined where the variable is not set.
 * Throws a BackingError when it is an address of another kind.
 */
export function givenAddress(
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
