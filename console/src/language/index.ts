import type { en } from './en.ts';

/** The words of a language: those of English. A language may name more values of the API than English has to. */
export type Words = Omit<typeof en, 'values'> & {
  readonly values: typeof en.values & Readonly<Record<string, string>>;
};

const languages = {
  en: () => import('./en.ts').then((file) => file.en),
  de: () => import('./de.ts').then((file) => file.de),
} satisfies Record<string, () => Promise<Words>>;

export type Language = keyof typeof languages;
const stored = 'console.language';

/** The language of the console: the chosen one, else that of the browser, else English. */
export const language: Language =
  [localStorage.getItem(stored), ...navigator.languages]
    .map((tag) => tag?.slice(0, 2))
    .find((tag): tag is Language => tag !== undefined && tag in languages) ?? 'en';

/** The words of the console. `loadWords` has to have ended before anything is shown. */
export let t: Words;

export async function loadWords(): Promise<void> {
  t = await languages[language]();
  document.documentElement.lang = language;
  document.title = t.console;
}

/** Shows everything in another language: the page is loaded again, and stays signed in. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(stored, next);
  location.reload();
}

/** The word of the console for a value of the API, such as a status; the value itself, readable, where there is none. */
export function wordFor(value: string): string {
  const words: Readonly<Record<string, string>> = t.values;
  return words[value] ?? value.replaceAll(/[-_]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
}
