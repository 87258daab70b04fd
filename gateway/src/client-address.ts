import { normalAddress } from '@storefront/http';
import type { FastifyRequest } from 'fastify';

/**
 * The address of the client: that of the connection, or, where trusted proxies are in front, the nearest one in
 * `X-Forwarded-For` that is not theirs. What a proxy writes there and is no address counts as the proxy itself.
 */
export function clientAddress(request: FastifyRequest): string {
  // From the connection outwards; only with trusted proxies there is more than one.
  const addresses = request.ips ?? [request.ip];
  for (let index = addresses.length - 1; index > 0; index -= 1) {
    const address = normalAddress(addresses[index] as string);
    if (address !== undefined) return address;
  }
  // Undefined where the client has left already.
  return normalAddress(addresses[0] ?? '') ?? '';
}
