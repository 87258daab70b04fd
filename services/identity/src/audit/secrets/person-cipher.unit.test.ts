import { describe, expect, it } from 'vitest';
import { createPersonCipher } from './person-cipher.ts';

const cipher = createPersonCipher('a secret of the service');
const [owner, other] = ['one person', 'another person'];
const key = cipher.newWrappedKey(owner);
const sealed = cipher.seal(key, owner, 'aud_1 actor', { ip: '203.0.113.7' });

describe('what is sealed with the key of a person', () => {
  it('opens with that key in its place, and shows nothing before', () => {
    expect(cipher.open(key, owner, 'aud_1 actor', sealed)).toEqual({ ip: '203.0.113.7' });
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('203.0.113.7');
  });

  it.each([
    ['by the key of somebody else', () => cipher.open(cipher.newWrappedKey(other), other, 'aud_1 actor', sealed)],
    ['in another entry', () => cipher.open(key, owner, 'aud_2 actor', sealed)],
    ['as another part', () => cipher.open(key, owner, 'aud_1 subject', sealed)],
    ['by a key that was moved to another person', () => cipher.open(key, other, 'aud_1 actor', sealed)],
    ['with another secret', () => createPersonCipher('another').open(key, owner, 'aud_1 actor', sealed)],
    [
      'where it was changed',
      () =>
        cipher.open(
          key,
          owner,
          'aud_1 actor',
          sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
        ),
    ],
  ])('does not open %s', (_how, open) => {
    expect(open).toThrow(/unable to authenticate data/);
  });
});

describe('a keyed hash', () => {
  it('is equal for equal texts of a kind and secret only', () => {
    expect(cipher.hash('address', '203.0.113.7')).toBe(cipher.hash('address', '203.0.113.7'));
    expect(cipher.hash('address', '203.0.113.7')).not.toBe(cipher.hash('person', '203.0.113.7'));
    expect(createPersonCipher('another').hash('address', '203.0.113.7')).not.toBe(
      cipher.hash('address', '203.0.113.7'),
    );
  });
});
