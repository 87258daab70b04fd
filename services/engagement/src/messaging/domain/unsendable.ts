import type { engagementHttp } from '@storefront/contracts';
import { isOptIn } from './preferences.ts';

interface MessageParts {
  readonly channel: engagementHttp.Channel;
  readonly category: engagementHttp.Category;
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly html?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Returns as a code why a message can't be sent, such as a missing part that its channel needs. Null where it can be
 * sent.
 */
export function unsendableReason({ channel, category, userId, email, html, title }: MessageParts): string | null {
  switch (channel) {
    case 'EMAIL':
      if (email === undefined) return 'email_missing';
      if (html === undefined) return 'html_missing';
      // Only users can opt in, so such mail needs a user.
      return userId === undefined && isOptIn(category) ? 'user_missing' : null;
    case 'IN_APP':
      if (userId === undefined) return 'user_missing';
      return title === undefined ? 'title_missing' : null;
    case 'SMS':
    case 'PUSH':
      return 'channel_not_connected';
  }
}
