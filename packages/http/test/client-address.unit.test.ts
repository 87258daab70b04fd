import { describe, expect, it } from 'vitest';
import { networkOf, normalAddress } from '../src/client-address.ts';

describe('the spelling of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('of %s is %s', (text, expected) => {
    expect(normalAddress(text)).toBe(expected);
  });

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.01', '192.0.2.1/24', '1:2', 'shop.example', '[::1', '::1]'])(
    'is none where %j is no address',
    (text) => {
      expect(normalAddress(text)).toBeUndefined();
    },
  );
});

describe('the network that counts as one client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('of %s is %s', (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});
