import { engagementErrors, engagementFields, engagementHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { QuietHours } from './quiet-hours.ts';

const categories = engagementHttp.category.options;
const channels = engagementHttp.channel.options;
// An attacker who takes over an account would switch these off first.
const requiredForSecurity: readonly engagementHttp.Channel[] = ['IN_APP', 'EMAIL'];

/** Which messages a user wants, over which channels, and when not. */
export interface Preferences {
  /** The user's id. */
  readonly id: string;
  readonly types: Readonly<Record<engagementHttp.Category, Readonly<Record<engagementHttp.Channel, boolean>>>>;
  readonly quietHours: QuietHours | null;
}

/** New preferences as a user sends them; a channel that is not named is on. */
export type PreferencesInput = z.output<typeof engagementHttp.notificationPreferencesChange>;

/** The preferences of a user who never chose: all is on, without quiet hours. */
export function defaultPreferences(userId: string): Preferences {
  return preferencesOf(userId, { types: {}, quietHours: null });
}

/**
 * Preferences with exactly what the user chose. Throws `security_messages_required` where they switch off security
 * messages in the app or by mail.
 */
export function choosePreferences(userId: string, input: PreferencesInput): Preferences {
  const forbidden = requiredForSecurity.filter((channel) => input.types.security?.[channel] === false);
  if (forbidden.length === 0) return preferencesOf(userId, input);
  throw engagementErrors.securityMessagesRequired().with({ fields: forbidden.map(engagementFields.securityStaysOn) });
}

/**
 * Whether the user wants messages of the category over the channel. Security messages in the app and by mail always
 * are.
 */
export function allows(
  preferences: Preferences,
  category: engagementHttp.Category,
  channel: engagementHttp.Channel,
): boolean {
  return (category === 'security' && requiredForSecurity.includes(channel)) || preferences.types[category][channel];
}

function preferencesOf(userId: string, { types, quietHours }: PreferencesInput): Preferences {
  const channelsOf = (category: engagementHttp.Category) =>
    Object.fromEntries(channels.map((channel) => [channel, types[category]?.[channel] ?? true]));
  return {
    id: userId,
    types: Object.fromEntries(categories.map((category) => [category, channelsOf(category)])) as Preferences['types'],
    quietHours,
  };
}
