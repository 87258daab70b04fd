/**
 * What waits behind what: announcements go to many people at once, and wait for all other mail. The two have nothing in
 * common in a sender but the connections.
 */
export type Lane = 'transactional' | 'announcement';

export const lanes: readonly Lane[] = ['transactional', 'announcement'];

interface Due {
  readonly dueAt: Date | null;
  /** Only of the mails of announcements. */
  readonly announcementId?: string;
  readonly announceAt?: Date | null;
}

/** The lane of a delivery. Those of the former version are transactional. */
export function laneOf({ announcementId }: Pick<Due, 'announcementId'>): Lane {
  return announcementId === undefined ? 'transactional' : 'announcement';
}

/** When a pending delivery is due; null while an instance holds it, and when it has ended. */
export function dueAtOf(delivery: Due): Date | null {
  return laneOf(delivery) === 'announcement' ? (delivery.announceAt ?? null) : delivery.dueAt;
}

/** The fields that say when a delivery is due: each lane has its own. */
export function dueFrom(delivery: Pick<Due, 'announcementId'>, at: Date | null): Pick<Due, 'dueAt' | 'announceAt'> {
  return laneOf(delivery) === 'announcement' ? { dueAt: null, announceAt: at } : { dueAt: at };
}
