import { eraseUserData } from './erase-user-data.ts';

type Needs = Parameters<typeof eraseUserData>[0] & {
  readonly userData: { readonly erasedUsers: { among(ids: readonly string[]): Promise<ReadonlySet<string>> } };
};

/** Erases once more what was stored about those of the users who had been erased before. */
export async function takeBackErased(needs: Needs, userIds: readonly string[]): Promise<void> {
  for (const userId of await needs.userData.erasedUsers.among(userIds))
    await eraseUserData(needs, { userId, email: null });
}
