import { isIPv4, isIPv6 } from 'node:net';

const mapped = '::ffff:';
// Some proxies write the port of the client into X-Forwarded-For.
const withPort = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * The one spelling of an IP address, so that equal addresses are equal texts: IPv4 in four numbers, also where it is
 * written as IPv6 (`::ffff:192.0.2.1`), IPv6 as in RFC 5952 without its zone. A port is left out. Undefined for anything
 * that is no IP address.
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
 * The network that counts as one client: an IPv4 address is one by itself, of IPv6 it is the network of 64 bits, since a
 * single client has all of it. `address` is in the spelling of `normalAddress`.
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
