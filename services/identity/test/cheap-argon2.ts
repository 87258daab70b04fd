import { createRequire, registerHooks } from 'node:module';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

/**
 * Loaded before the tests, takes the place of argon2 in tests of what is done with passwords: the same hashes, at the lowest
 * cost. At the real one, the thousands of passwords that such tests hash and compare take a minute of processor time.
 */
export const hash: typeof argon2.hash = (password, options) =>
  argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 });

/** A hash says at which cost it was made. */
export const { verify } = argon2;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '@node-rs/argon2'
      ? { url: import.meta.url, format: 'module', shortCircuit: true }
      : nextResolve(specifier, context),
});
