import { isDialogOpen } from '../parts/row-keys.ts';

const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const controlsIn = (place: Element) => [...place.querySelectorAll<HTMLElement>(controls)];
const isUsable = (element: HTMLElement) => element.isConnected && element.checkVisibility();

interface Focused {
  readonly element: HTMLElement;
  /** What it is in, the innermost first. */
  readonly places: readonly Element[];
  /** The controls after it, then those before it, the nearest first. */
  readonly others: readonly HTMLElement[];
}

/**
 * Keeps the focus in the page: where the control that has it is taken away, such as the button of something that is done, or the
 * page of a link that was followed, the nearest control that is left gets it, or the page itself. Otherwise whoever has no mouse
 * would begin again at the top.
 */
export function keepFocus(main: HTMLElement): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let last: Focused | null = null;

  function note({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    if (target === main || !main.contains(target)) {
      // Dialogs, menus and messages are beside the frame: from them it goes back to where it was.
      if (target.closest('nav, header, main')) last = null;
      return;
    }
    const places: Element[] = [];
    for (let place = target.parentElement; place && place !== main; place = place.parentElement) places.push(place);
    const all = controlsIn(main);
    const at = all.indexOf(target);
    last = { element: target, places, others: [...all.slice(at + 1), ...all.slice(0, Math.max(0, at)).toReversed()] };
  }
  function restore(): void {
    if (!last || document.activeElement !== document.body || isDialogOpen()) return;
    const next = isUsable(last.element) ? last.element : nearestOf(last);
    if (next) next.focus();
    else main.focus({ preventScroll: true });
  }
  function nearestOf({ places, others }: Focused): HTMLElement | undefined {
    const left = others.filter(isUsable);
    for (const place of places) {
      const found = left.find((one) => place.contains(one)) ?? controlsIn(place).find(isUsable);
      if (found) return found;
    }
    return left[0];
  }
  // Whoever points at something else has left it.
  const leave = ({ target }: Event) => {
    if (target instanceof Node && main.contains(target) && last?.element.contains(target) === false) last = null;
  };
  document.addEventListener('focusin', note, { signal });
  document.addEventListener('pointerdown', leave, { signal, capture: true });
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => observer.disconnect());
  return () => controller.abort();
}
