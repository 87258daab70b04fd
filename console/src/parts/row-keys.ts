import { useEffect, useRef, useState } from 'react';

/** Whether a key goes to a field in which somebody types. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** `j` and `k` go through the rows of a list, Enter or `o` opens the row. Returns which row it is; null before that. */
export function useRowKeys(count: number, open: (at: number) => void): number | null {
  const [current, setCurrent] = useState<number | null>(null);
  const latest = useRef({ current, count, open });
  useEffect(() => void (latest.current = { current, count, open }));
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { current, count, open } = latest.current;
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || document.querySelector('[role=dialog]'))
        return;
      if (event.key === 'j') setCurrent(Math.min(count - 1, (current ?? -1) + 1));
      else if (event.key === 'k') setCurrent(Math.max(0, (current ?? count) - 1));
      else if (event.key === 'o' && current !== null) open(current);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return current === null || current >= count ? null : current;
}
