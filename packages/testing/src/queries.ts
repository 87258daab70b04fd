import type mongoose from 'mongoose';

/** A query with the plan that the database used. */
export interface RanQuery {
  readonly collection: string;
  /** The sent command, shortened. For a getMore it is the command that opened the cursor. */
  readonly command: string;
  /** How documents were found, such as `IDHACK`, `IXSCAN { owner: 1 }` or `COLLSCAN`. */
  readonly plan: string;
  readonly documentsExamined: number;
  readonly keysExamined: number;
  /** How many documents the query returned, changed or deleted. */
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

// The profile is a capped collection: if it is too small, the first queries are lost.
const profileBytes = 64 * 1024 * 1024;
const maxCommandLength = 600;

/**
 * Records every query on the database from now on, by any client. The returned function stops recording and returns the
 * queries with the plans that were really used, also in transactions. `explain` would only guess the plans afterwards.
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

// Fields that the driver adds to every command. They do not describe the query.
const added = new Set(['lsid', 'txnNumber', 'autocommit', 'startTransaction', 'readConcern', 'writeConcern']);

function readable(command: Record<string, unknown>): string {
  const own = Object.entries(command).filter(([key]) => !key.startsWith('$') && !added.has(key));
  return JSON.stringify(Object.fromEntries(own)).slice(0, maxCommandLength);
}

// Measuring the outboxes reads every waiting document, at most 10,000, and returns one count. How many documents wait
// at that moment is random, so this query is left out of the limits.
export const measuresOutboxes = ({ command }: RanQuery): boolean =>
  command.startsWith('{"aggregate"') && command.includes('{"$group":{"_id":null,"depth":{"$sum":1}');

/**
 * Returns the queries that used no index, that examined over `few` documents more than they returned (except measuring
 * the outboxes), or that sorted over `few` documents in memory. All three lists are empty if no query is slow.
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
