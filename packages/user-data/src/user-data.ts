import { randomUUID } from 'node:crypto';
import {
  changed,
  fact,
  identityEvents,
  queues,
  readingOf,
  toExportPages,
  unchanged,
  userDataEvents,
  type ExportPage,
  type Fact,
  type Reading,
  type UserDataKeeper,
} from '@storefront/contracts';
import { on, subscription, type Subscription } from '@storefront/messaging';
import { openErasedUsers, openRepository, type ErasedUsers, type RepositoryNeeds } from '@storefront/mongo';
import { dataRequests, type DataRequest } from './data-requests.ts';

/** The person that the data is about. */
export interface DataSubject {
  readonly userId: string;
  readonly email: string;
}

/**
 * How an area of a service collects and erases its data about a person. Each function may run several times for one
 * request.
 */
export interface PersonalData {
  /**
   * Returns all data kept about the person, in parts. Each part is an object whose field names occur in no other part.
   * Only a long list is split: it comes in consecutive parts under the same name. Read such a list in pages, after a
   * position that no later change moves, so that the whole list is never in memory. The parts are exported as JSON: a
   * `Date` becomes text.
   */
  readonly collect: (person: DataSubject) => AsyncIterable<object>;
  /**
   * Erases all data kept about the person. `email` is null where the account is already gone, since the email may
   * belong to another user by then.
   */
  readonly erase: (person: Pick<DataSubject, 'userId'> & { readonly email: string | null }) => Promise<void>;
  /**
   * Called after all areas have erased their data, before the answer is published. `byStaff`: an administrator has
   * requested the erasure, not the user. `requestId` is the same for each try
   * of one request.
   */
  readonly afterErasure?: (
    person: DataSubject & { readonly reading: Reading; readonly byStaff: boolean },
    requestId: string,
  ) => Promise<void>;
}

/** Erasure and export of the data that a service keeps about people. */
export interface UserData {
  /**
   * The ids of erased users and of their registrations. Check this list before an event handler stores anything about a
   * user.
   */
  readonly erasedUsers: ErasedUsers;
  /**
   * The subscription to the service's queue of erasure and export requests. `kept` says how each area collects and
   * erases its data; areas are erased in this order. Each request is answered once, however often it is delivered. It
   * is answered again only if identity asks again.
   */
  subscription(kept: readonly PersonalData[]): Subscription;
}

/** Reads and writes the service's records of answered requests and of erased users, which are `userDataCollections`. */
export function openUserData(service: UserDataKeeper, needs: RepositoryNeeds): UserData {
  const requests = openRepository<DataRequest>(dataRequests, needs);
  const erasedUsers = openErasedUsers(needs);
  const events = userDataEvents[service];

  async function answer(
    { id, kind, isRequestedAgain }: Pick<DataRequest, 'id' | 'kind'> & { readonly isRequestedAgain: boolean },
    published: Fact,
  ): Promise<void> {
    await requests.change(id, (answered) =>
      answered && !isRequestedAgain
        ? unchanged(null)
        : changed({ id, kind, answeredAt: needs.now() }, [published], null),
    );
  }

  /**
   * Whether this service has to answer. Identity may repeat a request for other services only, and an event may be
   * delivered twice.
   */
  async function isToAnswer(id: string, waitingFor: readonly string[] | undefined): Promise<boolean> {
    return waitingFor ? waitingFor.includes(service) : !(await requests.load(id));
  }

  /** Answers an export in one event or, where the data is too large for one event, in several numbered events. */
  async function answerExport(
    userId: string,
    { exportId, isRequestedAgain }: { readonly exportId: string; readonly isRequestedAgain: boolean },
    parts: AsyncIterable<object>,
    signal: AbortSignal,
  ): Promise<void> {
    // A later try reads the data again and may split it into other pages, so each try has its own id.
    const collection = randomUUID();
    const pageOf = (page: number, data: ExportPage, pages?: number) =>
      fact(events.pageExported, userId, { exportId, collection, page, data, ...(pages && { pages }) });
    let [page, held]: [number, ExportPage | null] = [0, null];
    for await (const data of toExportPages(parts)) {
      signal.throwIfAborted();
      if (held) {
        const id = `${exportId}/${collection}/${page}`;
        const state = { id, kind: 'export', answeredAt: needs.now() } as const;
        await requests.insertNew([{ state, facts: [pageOf(page, held)] }]);
      }
      [page, held] = [page + 1, data];
    }
    const last = held ?? {};
    const published = page === 1 ? fact(events.exported, userId, { exportId, data: last }) : pageOf(page, last, page);
    await answer({ id: exportId, kind: 'export', isRequestedAgain }, published);
  }

  return {
    erasedUsers,
    subscription(kept) {
      async function* collect(person: DataSubject): AsyncGenerator<object, void> {
        for (const area of kept) yield* area.collect(person);
      }
      async function eraseUser(
        person: Parameters<PersonalData['erase']>[0],
        registrations: readonly string[] = [],
      ): Promise<void> {
        // Before the areas erase their data, so that an event handler that starts from now on stores nothing about the
        // user.
        await erasedUsers.add([person.userId, ...registrations]);
        for (const area of kept) await area.erase(person);
      }

      return subscription(queues[service].onUserDataRequested, [
        on(identityEvents.userErasureRequested, async ({ id, subject: userId, data }) => {
          const { email, registrations, byStaff = false, waitingFor } = data;
          if (!(await isToAnswer(id, waitingFor))) return;
          // A request that was answered before is only answered again, without another erasure. It may be delivered
          // much later, when the email may belong to another user.
          if (!(await requests.load(id))) {
            await eraseUser({ userId, email }, registrations);
            const person = { userId, email, reading: readingOf(data), byStaff };
            for (const area of kept) await area.afterErasure?.(person, id);
          }
          const isRequestedAgain = waitingFor !== undefined;
          await answer({ id, kind: 'erasure', isRequestedAgain }, fact(events.erased, userId, { requestId: id }));
        }),
        on(
          identityEvents.userExportRequested,
          async ({ subject: userId, data: { email, exportId, waitingFor } }, { signal }) => {
            if (!(await isToAnswer(exportId, waitingFor))) return;
            const requested = { exportId, isRequestedAgain: waitingFor !== undefined };
            await answerExport(userId, requested, collect({ userId, email }), signal);
          },
        ),
        on(identityEvents.userErased, ({ subject: userId }) => eraseUser({ userId, email: null })),
      ]);
    },
  };
}
