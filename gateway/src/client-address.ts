import { normalAddress } from '@storefront/http';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the client's address: the address of the connection or, behind trusted proxies, the last address in
 * `X-Forwarded-For` that is not a trusted proxy's. If that entry is not an IP address, the proxy that wrote it counts
 * as the client. Returns an empty string if the client has already disconnected.
 */
export function clientAddress(request: FastifyRequest): string {
  // Ordered from the connection to the client; there is more than one only behind trusted proxies.
  const addresses = request.ips ?? [request.ip];
  for (let index = addresses.length - 1; index > 0; index -= 1) {
    const address = normalAddress(addresses[index] as string);
    if (address !== undefined) return address;
  }
  // The address is undefined if the client has already disconnected.
  return normalAddress(addresses[0] ?? '') ?? '';
}
