import { collectionOf, type Collection } from './collections.ts';
import type { Database } from './database.ts';
import type { CollectionDefinition, DefinitionFor } from './define-collection.ts';
import { createOutbox } from './outbox.ts';
import type { RelayOfWrites } from './relay.ts';
import { nothingWritten, rememberWrites } from './remember-writes.ts';
import { createReads } from './repository-reads.ts';
import { createWrites } from './repository-writes.ts';
import type { Repository } from './repository.ts';
import type { Stored, StoredAs } from './stored.ts';

/** What a repository with events needs from its service. */
export interface RepositoryNeeds {
  readonly database: Database;
  readonly relay: RelayOfWrites;
  readonly now: () => Date;
}

interface Options {
  /**
   * Whether changes may begin with what this process has written in the last 10 s, instead of a read: for documents that are
   * changed several times soon after each other, and whose ids are never used again. A change that finds another version in
   * the database begins anew with a read.
   */
  readonly remembersWrites?: boolean;
}

/**
 * Opens the repository of a collection. Without a relay its documents have no events, and a decision with facts throws.
 */
export function openRepository<State extends { readonly id: string }>(
  definition: DefinitionFor<StoredAs<State>>,
  needs: RepositoryNeeds,
  options?: Options,
): Repository<State>;
export function openRepository<State extends { readonly id: string }>(
  definition: DefinitionFor<Omit<State, 'id'> & Pick<Stored, '_id' | 'version'>>,
  needs: Pick<RepositoryNeeds, 'database'>,
  options?: Options,
): Repository<State>;
export function openRepository<State extends { readonly id: string }>(
  definition: CollectionDefinition,
  { database, relay, now }: Pick<RepositoryNeeds, 'database'> & Partial<RepositoryNeeds>,
  { remembersWrites = false }: Options = {},
): Repository<State> {
  const collection = collectionOf<Stored>(database, definition.name);
  const outbox = relay && now && definition.hasOutbox ? createOutbox(collection, { relay, now }) : null;
  if (definition.hasOutbox && !outbox)
    throw new Error(`the repository of ${definition.name} needs a relay and a clock`);
  return {
    ...createReads<State>(collection),
    ...createWrites<State>(collection, outbox, remembersWrites ? rememberWrites<State>() : nothingWritten),
    collection: collection as unknown as Collection<StoredAs<State>>,
  };
}
