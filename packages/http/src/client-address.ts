import { isIPv4, isIPv6 } from 'node:net';

const mapped = '::ffff:';
// Some proxies add the client's port to the address in X-Forwarded-For.
const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * Returns the standard form of an IP address, so that equal addresses are equal strings. IPv4 has four numbers, also if
 * it was written as IPv6 (`::ffff:192.0.2.1`). IPv6 follows RFC 5952, without a zone. A port is removed. Returns
 * undefined if the text is not an IP address.
 */
export function normalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (text.startsWith(mapped) && isIPv4(text.slice(mapped.length))) return text.slice(mapped.length);
  const trimmed = text.trim();
  const [, bracketed, plain] = withPort.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? plain ?? trimmed).split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return canonical.startsWith(mapped) ? dotted(canonical.slice(mapped.length)) : canonical;
}

/**
 * Returns the network that counts as one client. For IPv4 this is the single address. For IPv6 it is the /64 network,
 * because one client usually has a whole /64. `address` must be in the form that `normalAddress` returns.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).join(':')}::/64`;
}

function dotted(groups: string): string {
  const [high = 0, low = 0] = groups.split(':').map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
