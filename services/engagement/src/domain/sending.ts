import type { engagementHttp } from '@storefront/contracts';

interface Wanted {
  readonly channel: engagementHttp.Channel;
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly html?: string | undefined;
  readonly title?: string | undefined;
}

/** What keeps a message from being sent, or null where nothing does. */
export function obstacle(wanted: Wanted): string | null {
  switch (wanted.channel) {
    case 'EMAIL':
      if (wanted.email === undefined) return 'email_missing';
      return wanted.html === undefined ? 'html_missing' : null;
    case 'IN_APP':
      if (wanted.userId === undefined) return 'user_missing';
      return wanted.title === undefined ? 'title_missing' : null;
    case 'SMS':
    case 'PUSH':
      return 'channel_not_connected';
  }
}
