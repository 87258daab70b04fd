import { fact, userDataEvents } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';

/** That somebody's data was handed in or erased: kept so that it is answered once, however often it is asked for. */
export interface DataRequest {
  /** The id of the event that asked for it. */
  readonly id: string;
  readonly kind: 'erasure' | 'export';
  readonly answeredAt: Date;
}

export function erased(userId: string, requestId: string): Fact {
  return fact(userDataEvents.account.erased, userId, { requestId });
}

export function exported(userId: string, exportId: string, data: Record<string, unknown>): Fact {
  return fact(userDataEvents.account.exported, userId, { exportId, data });
}
