import type { engagementOperations } from '@storefront/contracts';
import { ifMatch, sendVersioned, type Handlers } from '@storefront/http';
import type { Repository } from '@storefront/mongo';
import { loadPreferences, replacePreferences } from '../commands/preferences.ts';
import type { Preferences } from '../domain/preferences.ts';

interface Needs {
  readonly preferences: Repository<Preferences>;
}

/** The routes for users to read and replace their own preferences. */
export function preferenceHandlers(
  needs: Needs,
): Pick<Handlers<typeof engagementOperations>, 'getNotificationPreferences' | 'replaceNotificationPreferences'> {
  return {
    async getNotificationPreferences(request, reply) {
      const { state, version } = await loadPreferences(needs.preferences, request.caller.sub);
      return sendVersioned(request, reply, version, showPreferences(state));
    },

    async replaceNotificationPreferences(request, reply) {
      const { caller, body } = request;
      const { state, version } = await replacePreferences(needs, caller.sub, body, ifMatch(request));
      return sendVersioned(request, reply, version, showPreferences(state));
    },
  };
}

function showPreferences({ types, quietHours }: Preferences) {
  return { types, quietHours };
}
