import { followOverTabs } from '@storefront/client/stream';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { refreshUnasked } from '../api/reads.ts';
import { say } from '../parts/toasts.tsx';

/** Says what the shop notifies this person of, such as an application that waits or a low stock, and reads again what is shown. */
export function useNotifications(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined) return;
    const controller = new AbortController();
    followOverTabs(
      api.notifications.streamNotifications,
      (event) => {
        if (event.event !== 'notification') return;
        say(event.data.title, event.data.body);
        refreshUnasked();
      },
      { signal: controller.signal, name: 'storefront:console-stream' },
      // It is refused where the session is over: the page says so anyway, and follows again after the next login.
    ).catch(() => undefined);
    return () => controller.abort();
  }, [userId]);
}
