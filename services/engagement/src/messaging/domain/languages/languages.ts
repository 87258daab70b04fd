import type { Locale } from '@storefront/contracts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { Language } from './language.ts';

/** The languages of mails and notifications. A language of the contracts without its sentences does not compile. */
export const languages: Readonly<Record<Locale, Language>> = { en: english, de: german };
