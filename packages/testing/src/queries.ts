import type mongoose from 'mongoose';
import { pendingIndex } from '@storefront/mongo';

/** A query as the database ran it. */
export interface RanQuery {
  readonly collection: string;
  /** The command as it was sent, or a getMore of it, shortened. */
  readonly command: string;
  /** How documents were found: `IDHACK`, `IXSCAN { owner: 1 }`, `COLLSCAN`. */
  readonly plan: string;
  readonly documentsExamined: number;
  readonly keysExamined: number;
  /** How many documents it returned, changed or deleted. */
  readonly returned: number;
  /** Whether documents were sorted in memory. */
  readonly sorted: boolean;
}

interface Profiled {
  readonly ns: string;
  readonly command: Record<string, unknown>;
  readonly originatingCommand?: Record<string, unknown>;
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly nreturned?: number;
  readonly nMatched?: number;
  readonly ndeleted?: number;
  readonly hasSortStage?: boolean;
}

// The profile is a capped collection: one that is too small loses the first queries.
const profileBytes = 64 * 1024 * 1024;
const maxCommandLength = 600;

/**
 * Records every query on the database from now on, by any client. The returned function ends that and returns them,
 * with the plans that they really ran by, also those in transactions; `explain` would only guess them afterwards.
 */
export async function recordQueries(connection: mongoose.Connection): Promise<() => Promise<RanQuery[]>> {
  const database = connection.getClient().db(connection.name);
  await database.createCollection('system.profile', { capped: true, size: profileBytes });
  await database.command({ profile: 2 });
  return async () => {
    await database.command({ profile: 0 });
    const ran = await database
      .collection<Profiled>('system.profile')
      .find({ planSummary: { $exists: true }, ns: { $ne: `${connection.name}.system.profile` } })
      .toArray();
    return ran.map((query) => ({
      collection: query.ns.slice(connection.name.length + 1),
      command: readable(query.originatingCommand ?? query.command),
      plan: query.planSummary ?? '',
      documentsExamined: query.docsExamined ?? 0,
      keysExamined: query.keysExamined ?? 0,
      returned: query.nreturned ?? query.nMatched ?? query.ndeleted ?? 0,
      sorted: query.hasSortStage ?? false,
    }));
  };
}

// What the driver adds to every command does not describe the query.
const added = new Set(['lsid', 'txnNumber', 'autocommit', 'startTransaction', 'readConcern', 'writeConcern']);

function readable(command: Record<string, unknown>): string {
  const own = Object.entries(command).filter(([key]) => !key.startsWith('$') && !added.has(key));
  return JSON.stringify(Object.fromEntries(own)).slice(0, maxCommandLength);
}

// The measurement of what waits in the outboxes reads every waiting document, 10,000 at most: how many wait at that
// moment is luck, and it returns one count of them all.
export const measuresOutboxes = ({ command }: RanQuery): boolean =>
  command.startsWith('{"aggregate"') && command.includes(`"hint":"${pendingIndex}"`);

/**
 * Queries that used no index, that examined over `few` documents more than they returned (measuring the outboxes
 * aside), or that sorted over `few` in memory. Three empty lists if all is well.
 */
export function findSlow(
  queries: readonly RanQuery[],
  few: number,
): Record<'byNoIndex' | 'readMuch' | 'sorted', RanQuery[]> {
  return {
    byNoIndex: queries.filter(
      ({ plan }) => !/^(IDHACK|EXPRESS_|IXSCAN|COUNT_SCAN)/.test(plan) || plan.includes('COLLSCAN'),
    ),
    readMuch: queries.filter((query) => query.documentsExamined > query.returned + few && !measuresOutboxes(query)),
    sorted: queries.filter(({ sorted, documentsExamined }) => sorted && documentsExamined > few),
  };
}
