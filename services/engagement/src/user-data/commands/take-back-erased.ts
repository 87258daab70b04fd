import { eraseUserData } from './erase-user-data.ts';

/** Erases once more what was stored about those of the users who had been erased before. */
export async function takeBackErased(
  needs: Parameters<typeof eraseUserData>[0],
  userIds: readonly string[],
): Promise<void> {
  for (const userId of await needs.userData.erasedUsers.among(userIds))
    await eraseUserData(needs, { userId, email: null });
}
