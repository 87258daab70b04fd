import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { isSameOrigin } from './domain/origins.ts';

/**
 * Refuses requests of other origins to operations that act on a cookie. `SameSite=Strict` alone would let pages of another
 * port or subdomain use it.
 */
export function refuseOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isGuarded = request.publicRoute?.operation.sameOrigin === true;
    if (isGuarded && !isSameOrigin(request.headers, request.host)) throw commonErrors.otherOrigin();
    done();
  });
}
