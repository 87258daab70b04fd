import german from './de.json' with { type: 'json' };

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** An English sentence of the shop. One without a translation does not compile. */
export type Sentence = keyof typeof german;

/** Says a sentence, with a value in place of each `{name}`. */
export type Translate = (sentence: Sentence, values?: Readonly<Record<string, string | number>>) => string;

const dictionaries: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: german };

export function translator(language: Language): Translate {
  const dictionary = dictionaries[language];
  return (sentence, values = {}) =>
    (dictionary[sentence] ?? sentence).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
