import {
  changed,
  engagementErrors,
  engagementFields,
  engagementHttp,
  unchanged,
  type Decision,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';

const categories = engagementHttp.category.options;
const required: Partial<Record<engagementHttp.Category, readonly engagementHttp.Channel[]>> = {
  // An attacker who takes over an account would first switch these messages off.
  security: ['IN_APP', 'EMAIL'],
  // An invoice has an effect only if the customer received it.
  invoices: ['EMAIL'],
};

/** Whether users always get messages of the category over the channel, whatever they chose. */
export const isRequired = (category: engagementHttp.Category, channel: engagementHttp.Channel): boolean =>
  required[category]?.includes(channel) ?? false;

/** Which messages a user wants over which channels, and the hours without mail. The id is the user's id. */
export const storedPreferences = z.object({ id: z.string(), ...engagementHttp.notificationPreferences.shape });
export type Preferences = StateOf<typeof storedPreferences>;

type Switches = Preferences['types']['offers'];

/** New preferences that a user sends. A channel that is not named gets its default. */
export type PreferencesInput = z.output<typeof engagementHttp.notificationPreferencesChange>;

/** Mail of these categories goes only to people who opted in. One click in such a mail switches it off. */
const optInCategories = ['offers', 'marketing'] as const satisfies readonly engagementHttp.Category[];
export type OptInCategory = (typeof optInCategories)[number];

export const isOptIn = (category: engagementHttp.Category): category is OptInCategory =>
  optInCategories.some((each) => each === category);

const isOnByDefault = (category: engagementHttp.Category, channel: engagementHttp.Channel): boolean =>
  channel !== 'EMAIL' || !isOptIn(category);

/**
 * Returns the preferences of a user who never chose any. Everything is on except mail that needs an opt-in, and there
 * are no quiet hours.
 */
export function defaultPreferences(userId: string): Preferences {
  return preferencesOf(userId, { types: {}, quietHours: null });
}

/**
 * Returns preferences with the user's choices and defaults for the rest. Throws `security_messages_required` where the
 * user switches off security messages in the app or by mail, and `invoice_mails_required` where the user switches off
 * mails about invoices.
 */
export function choosePreferences(userId: string, input: PreferencesInput): Preferences {
  const forbidden = (category: 'security' | 'invoices') =>
    required[category]?.filter((channel) => input.types[category]?.[channel] === false) ?? [];
  const security = forbidden('security').map(engagementFields.securityStaysOn);
  const invoices = forbidden('invoices').map(engagementFields.invoiceMailsStayOn);
  if (security.length > 0)
    throw engagementErrors.securityMessagesRequired().with({ fields: [...security, ...invoices] });
  if (invoices.length > 0) throw engagementErrors.invoiceMailsRequired().with({ fields: invoices });
  return preferencesOf(userId, input);
}

/** Whether the user gets messages of the category over the channel. */
export function allows(
  preferences: Preferences,
  category: engagementHttp.Category,
  channel: engagementHttp.Channel,
): boolean {
  return isRequired(category, channel) || preferences.types[category][channel];
}

/** Switches off mail of the category, and nothing else. Changes nothing where such mail is off already. */
export function unsubscribe(
  current: Preferences | null,
  userId: string,
  category: OptInCategory,
): Decision<Preferences, null> {
  const preferences = current ?? defaultPreferences(userId);
  if (!allows(preferences, category, 'EMAIL')) return unchanged(null);
  const { types } = preferences;
  return changed({ ...preferences, types: { ...types, [category]: { ...types[category], EMAIL: false } } }, [], null);
}

function switchesOf(isOn: (channel: engagementHttp.Channel) => boolean): Switches {
  return { IN_APP: isOn('IN_APP'), EMAIL: isOn('EMAIL'), SMS: isOn('SMS'), PUSH: isOn('PUSH') };
}

function preferencesOf(userId: string, { types, quietHours }: PreferencesInput): Preferences {
  const channelsOf = (category: engagementHttp.Category) =>
    switchesOf((channel) => types[category]?.[channel] ?? isOnByDefault(category, channel));
  return {
    id: userId,
    types: Object.fromEntries(categories.map((category) => [category, channelsOf(category)])) as Preferences['types'],
    quietHours,
  };
}
