import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../language/index.ts';
import { Dialog, DialogBody } from '../parts/dialog.tsx';
import { isDialogOpen, isTyping } from '../parts/row-keys.ts';
import type { MenuEntry } from './menu-entries.ts';
import css from './shell.module.css';

const secondKeyMs = 1500;

/** The keys that work on every page. */
export function useKeys(
  menu: readonly MenuEntry[],
  { palette, help }: { palette: () => void; help: () => void },
): void {
  const router = useRouter();
  const latest = useRef({ menu, palette, help });
  useEffect(() => void (latest.current = { menu, palette, help }));
  useEffect(() => {
    let afterG = Number.NEGATIVE_INFINITY;
    function onKey(event: KeyboardEvent): void {
      const { menu, palette, help } = latest.current;
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        palette();
        return;
      }
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || isDialogOpen()) return;
      const entry = event.timeStamp - afterG < secondKeyMs ? menu.find(({ key }) => key === event.key) : undefined;
      afterG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (entry) void router.navigate({ to: entry.to });
      else if (event.key === '?') help();
      else if (event.key === '/') {
        const box = document.querySelector<HTMLElement>('[data-search]');
        if (box) event.preventDefault();
        box?.focus();
      }
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [router]);
}

export function KeysDialog({
  open,
  onOpenChange,
  menu,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  menu: readonly MenuEntry[];
}) {
  const keys: (readonly [string[], string])[] = [
    [[`${t.ctrl} K`], t.find],
    [['?'], t.keys.title],
    [['/'], t.searchList],
    [['j', 'k'], t.keys.rows],
    [['o'], t.keys.open],
    [['F6'], t.messages],
    ...menu.map(({ key, title }) => [['g', key], title] as const),
  ].map(([of, what]) => [[...(of as string[])], what as string] as const);
  return (
    <Dialog title={t.keys.title} open={open} onOpenChange={onOpenChange}>
      <DialogBody>
        <dl className={css.keys}>
          {keys.map(([of, what]) => (
            <div key={what} className="contents">
              <dt>
                {of.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  );
}
