import { clientOf, type ClientOf, type ClientOptions } from './client.ts';
import { areas } from './generated/shop.ts';

export type { ClientOf, ClientOptions } from './client.ts';
export { etagOf } from './versions.ts';
export { ApiError, ConflictError, isProblem, type ClientCode, type ErrorCode, type ProblemOf } from './errors.ts';
export type { CallOf, InputOf, Outcome } from './area.ts';
export type { CallOptions, Retry } from './send.ts';
export type { SessionStore, Tokens } from './session-store.ts';
export type * from './generated/schemas.ts';
export type { ProblemCode, ProblemMembers } from './generated/problems.ts';

/** The client of a shop: every operation but those of its staff. */
export type Client = ClientOf<typeof areas>;

/** Makes a client of the whole shop. See `clientOf` of `@storefront/client/areas` for one of some areas. */
export function createClient(options: ClientOptions): Client {
  return clientOf(areas, options);
}
