import { describe, expect, it } from 'vitest';
import { instancesOf } from '../src/instances-of.ts';

const answering = (addresses: Record<string, readonly string[]>) => async (hostname: string) =>
  (addresses[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('the instances behind a url', () => {
  it('are all addresses of its name, each once and in the same order at each call', async () => {
    const url = 'http://account:8080';
    const expected = ['http://10.0.0.4:8080', 'http://10.0.0.5:8080', 'http://10.0.0.6:8080'];
    for (const account of [
      ['10.0.0.6', '10.0.0.4', '10.0.0.5'],
      ['10.0.0.5', '10.0.0.5', '10.0.0.6', '10.0.0.4'],
    ])
      expect(await instancesOf(url, answering({ account }))).toEqual(expected);
  });

  it('are one, under its name, where the name has one address', async () => {
    const lookup = answering({ account: ['10.0.0.4'], localhost: ['::1', '127.0.0.1'] });
    expect(await instancesOf('http://account:8080', lookup)).toEqual(['http://account:8080']);
    expect(await instancesOf('http://localhost:8080', lookup)).toEqual(['http://localhost:8080']);
  });

  it('are counted by IPv4, and by IPv6 where there is no other', async () => {
    const lookup = answering({ both: ['10.0.0.4', 'fd00::4', '10.0.0.5', 'fd00::5'], six: ['fd00::5', 'fd00::4'] });
    expect(await instancesOf('http://both:8080', lookup)).toEqual(['http://10.0.0.4:8080', 'http://10.0.0.5:8080']);
    expect(await instancesOf('http://six:8080', lookup)).toEqual(['http://[fd00::4]:8080', 'http://[fd00::5]:8080']);
  });

  it('are not looked up where the url has an address', async () => {
    const lookup = async () => Promise.reject(new Error('looked up'));
    for (const url of ['http://10.0.0.4:8080', 'http://[fd00::4]:8080'])
      expect(await instancesOf(url, lookup)).toEqual([url]);
  });
});
