import { createHash } from 'node:crypto';
import { idFromUuid, type IdPrefix } from '@storefront/contracts';

/** Draws that look like chance and are the same ones each time, in the same order. */
export interface Random {
  /** From 0 on and less than 1. */
  next(): number;
  /** From `from` on and less than `to`. */
  between(from: number, to: number): number;
  /** A whole number from 0 on and less than `below`. */
  below(below: number): number;
  /** Whether something happens that happens in so many of 1 cases. */
  happens(share: number): boolean;
  /** `expected` rounded up or down, so that the mean of many draws is `expected`. */
  about(expected: number): number;
  /** An id of that kind, which sorts by the time. */
  id(prefix: IdPrefix, at: Date): string;
}

/** The draws that belong to the key: another key has others. */
export function randomOf(...key: readonly (string | number)[]): Random {
  const words = createHash('sha256').update(key.join('\0')).digest();
  let [a, b, c, counter] = [words.readInt32LE(0), words.readInt32LE(4), words.readInt32LE(8), 1];

  /** The generator `sfc32`: 32 bits of chance. */
  function bits(): number {
    const drawn = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  }
  const next = () => bits() / 2 ** 32;
  const hex = () => bits().toString(16).padStart(8, '0');

  return {
    next,
    between: (from, to) => from + next() * (to - from),
    below: (below) => Math.floor(next() * below),
    happens: (share) => next() < share,
    about: (expected) => Math.floor(expected + next()),
    id(prefix, at) {
      const time = at.getTime().toString(16).padStart(12, '0');
      const drawn = hex() + hex() + hex();
      const uuid = `${time.slice(0, 8)}-${time.slice(8)}-7${drawn.slice(0, 3)}-a${drawn.slice(3, 6)}-${drawn.slice(6, 18)}`;
      return idFromUuid(prefix, uuid);
    },
  };
}
