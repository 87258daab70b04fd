import type { Cursors } from '@storefront/service-kit';
import type { Identity } from '../domain/ports.ts';
import type { SigningKeys } from '../secrets/signing-keys.ts';
import type { Revocations } from '../store/revocations.ts';
import type { SessionList } from '../store/sessions.ts';
import type { TradeAccounts } from '../store/trade-accounts.ts';

/** What the routes work with. */
export interface AppParts {
  readonly identity: Identity;
  readonly keys: SigningKeys;
  readonly sessions: SessionList;
  readonly tradeAccounts: TradeAccounts;
  readonly revocations: Revocations;
  readonly cursors: Cursors;
}
