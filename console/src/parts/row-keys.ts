import { useEffect, useRef, useState } from 'react';

/** Whether a key goes to a field in which somebody types. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|file)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Whether a dialog is over the page, which the keys are for then. A message in the corner is none. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]:not([aria-modal=false])') !== null;
}

/**
 * `j` and `k` go through the rows of a list, and `show` the one that they come to; `o` opens it. Returns which row it is; null before
 * that.
 */
export function useRowKeys(count: number, open: (at: number) => void, show: (at: number) => void): number | null {
  const [current, setCurrent] = useState<number | null>(null);
  // A key may come before the page shows what the key before it has changed.
  const at = useRef<number | null>(null);
  const latest = useRef({ count, open, show });
  useEffect(() => void (latest.current = { count, open, show }));
  useEffect(() => {
    if (current !== null) latest.current.show(current);
  }, [current]);
  useEffect(() => {
    let isAfterG = false;
    function onKey(event: KeyboardEvent): void {
      const { count, open } = latest.current;
      // The second key of those that lead to a page.
      if (isAfterG) {
        isAfterG = false;
        return;
      }
      isAfterG = event.key === 'g' && !isTyping(event);
      const isOther = event.metaKey || event.ctrlKey || event.altKey || isDialogOpen();
      if (isTyping(event) || isOther || count === 0) return;
      if (event.key === 'j') at.current = Math.min(count - 1, (at.current ?? -1) + 1);
      else if (event.key === 'k') at.current = Math.max(0, (at.current ?? count) - 1);
      else if (event.key === 'o' && at.current !== null) open(Math.min(at.current, count - 1));
      setCurrent(at.current);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return current === null || current >= count ? null : current;
}
