import { changed, fact, identityEvents, queues, unchanged, userDataEvents } from '@storefront/contracts';
import type { Fact, UserDataKeeper } from '@storefront/contracts';
import { on, subscription } from '@storefront/messaging';
import type { Subscription } from '@storefront/messaging';
import { openErasedUsers } from '@storefront/mongo';
import type { ErasedUsers, RepositoryNeeds } from '@storefront/mongo';
import { openDataRequests } from './data-requests.ts';
import type { DataRequest } from './data-requests.ts';

/** The person whose data it is. */
export interface DataSubject {
  readonly userId: string;
  readonly email: string;
}

/** How a service collects and erases what it keeps about a person. Each may run several times for one request. */
export interface PersonalData {
  /** All that is kept about the person. It is exported as JSON: a `Date` becomes text. */
  readonly collect: (person: DataSubject) => Promise<object>;
  /**
   * Erases all that is kept about the person. `email` is null where the account is gone already, since another user may
   * have the address by then.
   */
  readonly erase: (person: Pick<DataSubject, 'userId'> & { readonly email: string | null }) => Promise<void>;
  /** Called when all is erased, before the answer is published. `requestId` is the same for each try of one request. */
  readonly afterErasure?: (person: DataSubject, requestId: string) => Promise<void>;
}

/** Erasure and export of what a service keeps about people. */
export interface UserData {
  /** The users who were erased: check it before anything about a user is stored because of an event. */
  readonly erasedUsers: ErasedUsers;
  /** The subscription to the service's queue of requests. Each is answered once, however often it is delivered. */
  subscription(personalData: PersonalData): Subscription;
}

/** Opens the service's records of answered requests and of erased users. */
export async function openUserData(service: UserDataKeeper, needs: RepositoryNeeds): Promise<UserData> {
  const [requests, erasedUsers] = await Promise.all([openDataRequests(service, needs), openErasedUsers(needs)]);
  const events = userDataEvents[service];

  async function answer(id: string, kind: DataRequest['kind'], published: Fact): Promise<void> {
    await requests.change(id, (answered) =>
      answered ? unchanged(null) : changed({ id, kind, answeredAt: needs.now() }, [published], null),
    );
  }

  return {
    erasedUsers,
    subscription({ collect, erase, afterErasure }) {
      async function eraseUser(person: Parameters<PersonalData['erase']>[0]): Promise<void> {
        // First, so that no event handler that starts from now on writes anything about the user.
        await erasedUsers.add(person.userId);
        await erase(person);
      }

      return subscription(queues[service].onUserDataRequested, [
        on(identityEvents.userErasureRequested, async ({ id, subject: userId, data: { email } }) => {
          // If it is delivered again much later, the email may be another user's.
          if (await requests.load(id)) return;
          await eraseUser({ userId, email });
          await afterErasure?.({ userId, email }, id);
          await answer(id, 'erasure', fact(events.erased, userId, { requestId: id }));
        }),
        on(identityEvents.userExportRequested, async ({ id, subject: userId, data: { email, exportId } }) => {
          const data = await collect({ userId, email });
          const json = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
          await answer(id, 'export', fact(events.exported, userId, { exportId, data: json }));
        }),
        on(identityEvents.userErased, ({ subject: userId }) => eraseUser({ userId, email: null })),
      ]);
    },
  };
}
