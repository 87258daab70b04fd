import { engagementHttp } from '@storefront/contracts';
import { changed } from '@storefront/outbox';
import type { Aggregates } from '@storefront/outbox';
import { callerOf, ifMatch, Problem, sendVersioned } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import { forbiddenChannels, preferencesOf } from '../domain/preferences.ts';
import type { Preferences } from '../domain/preferences.ts';

const tags = ['notifications'];

export function preferenceRoutes(app: App, { preferences }: { preferences: Aggregates<Preferences> }): void {
  app.get(
    '/v1/notifications/preferences',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'What the caller wants to hear of, and how',
        operationId: 'getNotificationPreferences',
        response: { 200: engagementHttp.notificationPreferences },
      },
    },
    async (request, reply) => {
      const { sub } = callerOf(request);
      const stored = await preferences.load(sub);
      return sendVersioned(request, reply, stored?.version ?? 0, show(stored?.state ?? preferencesOf(sub)));
    },
  );

  app.put(
    '/v1/notifications/preferences',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Replaces them; security messages stay on in the app and by mail',
        operationId: 'replaceNotificationPreferences',
        body: engagementHttp.notificationPreferencesChange,
        response: { 200: engagementHttp.notificationPreferences },
      },
    },
    async (request, reply) => {
      const { sub } = callerOf(request);
      const forbidden = forbiddenChannels(request.body);
      if (forbidden.length > 0) throw securityStaysOn(forbidden);
      const matches = ifMatch(request);
      const { result, version } = await preferences.change(sub, (_current, version) => {
        matches(version);
        return changed(preferencesOf(sub, request.body), []);
      });
      return sendVersioned(request, reply, version, show(result));
    },
  );
}

function securityStaysOn(channels: readonly engagementHttp.Channel[]): Problem {
  return new Problem(
    422,
    'security_messages_required',
    "Messages about your account's security can't be switched off.",
    {
      errors: channels.map((channel) => ({
        pointer: `/types/security/${channel}`,
        in: 'body',
        code: 'security_messages_required',
        message: 'stays on',
      })),
    },
  );
}

function show({ types, quietHours }: Preferences) {
  return { types, quietHours };
}
