import { engagementFields, type engagementHttp, type FieldError } from '@storefront/contracts';
import { isOptIn } from './preferences.ts';

interface MessageParts {
  readonly channel: engagementHttp.Channel;
  readonly category: engagementHttp.Category;
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  readonly title?: string | undefined;
}

/** Returns an error for each field that the channel of a message needs and the message does not have. */
export function missingFields({ channel, category, userId, email, html, text, title }: MessageParts): FieldError[] {
  switch (channel) {
    case 'EMAIL':
      return [
        ...(email === undefined ? [engagementFields.emailMissing()] : []),
        ...(html === undefined && text === undefined ? [engagementFields.htmlMissing()] : []),
        ...(userId === undefined && isOptIn(category) ? [engagementFields.userMissingForOptIn(category)] : []),
      ];
    case 'IN_APP':
      return [
        ...(userId === undefined ? [engagementFields.userMissing()] : []),
        ...(title === undefined ? [engagementFields.titleMissing()] : []),
      ];
    case 'SMS':
    case 'PUSH':
      return [];
  }
}
