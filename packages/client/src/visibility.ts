import { browser } from './browser.ts';

const hiddenMs = 60_000;

/** A signal that is aborted once the page has been hidden for a minute; never where there is no page. */
export function whileVisible(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const page = browser.document;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page?.hidden) timer = setTimeout(() => controller.abort(), hiddenMs);
  };
  page?.addEventListener('visibilitychange', look);
  look();
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      page?.removeEventListener('visibilitychange', look);
      // Ends what was begun under the signal too.
      controller.abort();
    },
  };
}

/** Resolves once the page is seen, or the signal aborted; at once where there is no page. */
export function becomesVisible(signal: AbortSignal): Promise<void> {
  const page = browser.document;
  return new Promise((resolve) => {
    const look = () => {
      if (page?.hidden && !signal.aborted) return;
      page?.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    page?.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
