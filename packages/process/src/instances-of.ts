import { lookup as lookUpHere } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Finds all addresses of a host name, in any order. Rejects if the name has no address. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** Looks up a name in the machine's hosts file and name servers. */
export const systemLookup: Lookup = (hostname) => lookUpHere(hostname, { all: true });

/**
 * Returns the urls of the instances behind `url` at this moment. If the host is a name with several addresses, the
 * result has one url for each address, sorted. Otherwise it has only `url`. If a name has both IPv4 and IPv6 addresses,
 * only IPv4 counts, because both lead to the same instances. Rejects if the name has no address.
 */
export async function instancesOf(url: string, lookup: Lookup): Promise<readonly string[]> {
  if (!isName(url)) return [url];
  const found = await lookup(new URL(url).hostname);
  const ofFamily = (wanted: number) =>
    new Set(found.flatMap(({ address, family }) => (family === wanted ? [address] : [])));
  const v4 = ofFamily(4);
  const addresses = v4.size > 0 ? v4 : ofFamily(6);
  return addresses.size > 1 ? [...addresses].toSorted().map((address) => withHost(url, address)) : [url];
}

/** Whether the host of `url` is a name and not an IP address. */
export function isName(url: string): boolean {
  return isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) === 0;
}

function withHost(url: string, address: string): string {
  const changed = new URL(url);
  changed.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return changed.href.replace(/\/$/, '');
}
