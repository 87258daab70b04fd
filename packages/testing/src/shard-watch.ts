import type { AcrossShards, ShardKey, StoredCollection } from '@storefront/contracts';
import type { DatabaseCommand } from '@storefront/process';

type Document = Readonly<Record<string, unknown>>;

/** The effect of a command on one collection. */
interface Step {
  readonly collection: string;
  readonly does: 'read' | 'change-one' | 'change-many' | 'insert';
  readonly filter: Document;
  /** For an insertion: the new documents. */
  readonly documents?: readonly Document[];
  /** For a change: the update. */
  readonly update?: unknown;
  /**
   * Whether MongoDB finds the document by its id alone, without the shard key. It does so when one existing document is
   * changed.
   */
  readonly mayGoById?: boolean;
}

/**
 * Queries of the relay on all shards: it looks for unpublished events in all outboxes, and removes deleted documents
 * once their events are published.
 */
const ofOutboxes: readonly AcrossShards[] = [
  { by: ['outbox.0'], because: 'the relay looks for what is not published' },
  { by: ['outbox', 'deletedAt'], because: 'the relay removes what was deleted once it is published' },
];

/** Watches the commands of a service, and finds those that a sharded cluster would refuse or send to all shards. */
export interface ShardWatch {
  readonly hear: (command: DatabaseCommand) => void;
  /**
   * Returns one line for each kind of command that lacks the shard key, if its collection declares no reason for that.
   */
  readonly findings: () => string[];
}

export function createShardWatch(collections: readonly StoredCollection[]): ShardWatch {
  const declared = new Map(collections.map((collection) => [collection.name, collection]));
  const found = new Set<string>();

  function look({ name }: DatabaseCommand, step: Step): void {
    const collection = declared.get(step.collection);
    if (collection === undefined) {
      found.add(`${step.collection}: is not among the collections of the service`);
      return;
    }
    const { sharding } = collection;
    if ('unsharded' in sharding) return;
    const fault = faultOf(step, sharding.key, [...ofOutboxes, ...(sharding.acrossShards ?? [])]);
    if (fault !== null) found.add(`${step.collection}: ${name} ${shapeOf(step.filter)} ${fault}`);
  }

  return {
    hear(command) {
      for (const step of stepsOf(command)) look(command, step);
    },
    findings: () => [...found].toSorted(),
  };
}

function faultOf(step: Step, key: ShardKey, acrossShards: readonly AcrossShards[]): string | null {
  const fields = Object.keys(key);
  if (step.does === 'insert') {
    const isWithout = (document: Document) => fields.some((field) => field !== '_id' && document[field] === undefined);
    return step.documents?.some(isWithout) ? `inserts a document without the shard key ${shapeOf(key)}` : null;
  }
  if (fields.some((field) => changedFields(step.update).has(field))) return `changes the shard key ${shapeOf(key)}`;
  if (namesKey(step.filter, key)) return null;
  const conditions = conditionsOf(step.filter);
  const goesById = step.mayGoById && (conditions.get('_id') ?? []).some(isExact);
  if (step.does === 'change-one' && !goesById) return `changes one document without the shard key ${shapeOf(key)}`;
  if (acrossShards.some(({ by }) => isBy(by, conditions))) return null;
  return `leaves the shard key ${shapeOf(key)} open, and no reason is declared`;
}

function isBy(by: readonly string[], conditions: ReadonlyMap<string, readonly unknown[]>): boolean {
  if (by.length > 0) return by.every((field) => conditions.has(field));
  return [...conditions.keys()].every((field) => field === 'deletedAt');
}

/** Whether the filter leads to particular shards: it gives each field of the key a value, or both bounds. */
function namesKey(filter: Document, key: ShardKey): boolean {
  const conditions = conditionsOf(filter);
  const isNamed = ([field, kind]: [string, 1 | 'hashed']) => {
    const all = conditions.get(field) ?? [];
    return all.some(isExact) || (kind === 1 && all.some(isBounded));
  };
  if (Object.entries(key).every(isNamed)) return true;
  const branches = filter['$or'] as readonly Document[] | undefined;
  return branches !== undefined && branches.every((branch) => namesKey(branch, key));
}

/** Returns the conditions of a filter for each field. */
function conditionsOf(filter: Document): ReadonlyMap<string, readonly unknown[]> {
  const conditions = new Map<string, unknown[]>();
  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$and')
      for (const part of condition as readonly Document[])
        for (const [inner, needed] of conditionsOf(part))
          conditions.set(inner, [...(conditions.get(inner) ?? []), ...needed]);
    else if (!field.startsWith('$')) conditions.set(field, [...(conditions.get(field) ?? []), condition]);
  }
  return conditions;
}

function isExact(condition: unknown): boolean {
  if (!isPlain(condition)) return !(condition instanceof RegExp);
  const operators = Object.keys(condition);
  return operators.includes('$eq') || operators.includes('$in') || !operators.some((name) => name.startsWith('$'));
}

function isBounded(condition: unknown): boolean {
  if (!isPlain(condition)) return false;
  const operators = new Set(Object.keys(condition));
  return (operators.has('$gt') || operators.has('$gte')) && (operators.has('$lt') || operators.has('$lte'));
}

function isPlain(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the fields that an update sets or removes, except fields that an upsert sets only in a new document. */
function changedFields(update: unknown): ReadonlySet<string> {
  const parts = Array.isArray(update) ? (update as readonly Document[]) : isPlain(update) ? [update] : [];
  return new Set(
    parts.flatMap((part) =>
      Object.entries(part).flatMap(([operator, fields]) => {
        if (operator === '$setOnInsert') return [];
        if (isPlain(fields))
          return Object.keys(fields).filter((field) => operator !== '$replaceWith' || field !== '_id');
        return [fields].flat().filter((field) => typeof field === 'string');
      }),
    ),
  );
}

function stepsOf({ name, body }: DatabaseCommand): readonly Step[] {
  const collection = body[name];
  if (typeof collection !== 'string') return [];
  const step = (does: Step['does'], filter: unknown, more: Partial<Step> = {}): Step => ({
    collection,
    does,
    filter: (filter ?? {}) as Document,
    ...more,
  });
  switch (name) {
    case 'find':
      return [step('read', body['filter'])];
    case 'count':
    case 'distinct':
      return [step('read', body['query'])];
    case 'findAndModify':
      return [step('change-one', body['query'], { update: body['update'] })];
    case 'insert':
      return [step('insert', {}, { documents: body['documents'] as Document[] })];
    case 'update':
      return (body['updates'] as Document[]).map(({ q, u, multi, upsert }) =>
        step(multi ? 'change-many' : 'change-one', q, { update: u, mayGoById: upsert !== true }),
      );
    case 'delete':
      return (body['deletes'] as Document[]).map(({ q, limit }) =>
        step(limit === 1 ? 'change-one' : 'change-many', q, { mayGoById: true }),
      );
    case 'aggregate':
      return stepsOfPipeline(step, body['pipeline'] as readonly Document[]);
    default:
      return [];
  }
}

/**
 * Returns a read for the documents with which a pipeline begins, and for those that it looks up in or adds from other
 * collections.
 */
function stepsOfPipeline(
  step: (does: Step['does'], filter: unknown, more?: Partial<Step>) => Step,
  pipeline: readonly Document[],
): readonly Step[] {
  const firstOther = pipeline.findIndex((stage) => !('$match' in stage));
  const matches = pipeline.slice(0, firstOther < 0 ? pipeline.length : firstOther).map((stage) => stage['$match']);
  const elsewhere = pipeline.flatMap((stage): readonly Step[] => {
    const { coll, pipeline: inner = [] } = (stage['$unionWith'] ?? {}) as { coll?: string; pipeline?: Document[] };
    if (coll !== undefined)
      return stepsOfPipeline((does, filter, more) => step(does, filter, { collection: coll, ...more }), inner);
    const { from, foreignField } = (stage['$lookup'] ?? {}) as { from?: string; foreignField?: string };
    if (from === undefined) return [];
    return [step('read', foreignField === undefined ? {} : { [foreignField]: { $in: [] } }, { collection: from })];
  });
  return [step('read', matches.length > 0 ? { $and: matches } : {}), ...elsewhere];
}

/** Returns the filter's fields and operators without its values. */
function shapeOf(filter: Document): string {
  return JSON.stringify(filter, (_name, value: unknown) => (isPlain(value) || Array.isArray(value) ? value : '?'));
}
