import { Dialog as Base } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { api, mayCall } from '../api/client.ts';
import { language, t, chooseLanguage } from '../language/index.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import overlay from '../parts/overlay.module.css';
import { sayProblem } from '../parts/toasts.tsx';
import type { MenuEntry } from './menu-entries.ts';
import { leave } from './session.ts';
import css from './shell.module.css';
import { nextTheme } from './theme.ts';

interface Option {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly do: () => void;
}

// The prefix of an id says what it is of.
const pagesOfIds: Readonly<Record<string, readonly [path: string, operation: string]>> = {
  ord: ['/orders', 'getPackingSlip'],
  user: ['/people', 'getUser'],
  prod: ['/catalog', 'exportProducts'],
  camp: ['/campaigns', 'getCampaign'],
  pay: ['/invoices/payments', 'listPayments'],
  dlv: ['/deliveries', 'getDelivery'],
};

interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly menu: readonly MenuEntry[];
  readonly role: string;
  readonly help: () => void;
}

/** Finds pages, things by their id or words, and actions; by the keyboard alone. */
export function Palette({ open, onOpenChange, menu, role, help }: PaletteProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Option[]>([]);
  const [at, setAt] = useState(0);
  const id = useId();
  const router = useRouter();
  const go = (to: string) => () => router.history.push(`/console${to}`);
  useEffect(() => {
    setAt(0);
    setFound([]);
    const words = text.trim();
    if (!open || words.length < 2) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => void search(words, role, abort.signal, go).then(setFound, () => undefined), 200);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, open]);
  useEffect(() => {
    setText('');
    if (open) isLeaving.current = false;
  }, [open]);

  const fixed: Option[] = [
    ...menu.map(({ to, title, icon }) => ({ id: to, title, kind: t.palette.page, icon, do: go(to) })),
    { id: 'account', title: t.account, kind: t.palette.page, icon: 'user', do: go('/account') },
    { id: 'theme', title: t.switchTheme, kind: t.palette.action, icon: 'moon', do: () => void nextTheme() },
    {
      id: 'language',
      title: language === 'en' ? 'Deutsch' : 'English',
      kind: t.palette.action,
      icon: 'info',
      do: () => chooseLanguage(language === 'en' ? 'de' : 'en'),
    },
    { id: 'keys', title: t.keys.title, kind: t.palette.action, icon: 'more', do: help },
    {
      id: 'sign-out',
      title: t.signOut,
      kind: t.palette.action,
      icon: 'close',
      do: () => void leave().catch(sayProblem),
    },
  ];
  const words = text.trim().toLowerCase();
  // What is found comes last: it comes later, and takes no place from under a key.
  const options = [...fixed.filter(({ title }) => title.toLowerCase().includes(words)), ...found];
  const isLeaving = useRef(false);
  const choose = (option: Option | undefined) => {
    if (!option) return;
    isLeaving.current = option.kind !== t.palette.action;
    onOpenChange(false);
    option.do();
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={overlay.backdrop} />
        <Base.Popup
          className={overlay.dialog}
          data-palette=""
          // Into the page that was chosen, or to where it was.
          finalFocus={() => (isLeaving.current ? document.querySelector<HTMLElement>('#main') : true)}
        >
          <Base.Title className="visually-hidden">{t.find}</Base.Title>
          <div className={css.paletteInput}>
            <Icon name="search" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={options[at] && `${id}-${at}`}
              aria-label={t.find}
              placeholder={t.palette.placeholder}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') setAt(Math.min(options.length - 1, at + 1));
                else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
                else if (event.key === 'Enter') choose(options[at]);
                else return;
                event.preventDefault();
              }}
            />
          </div>
          <div role="listbox" id={`${id}-list`} aria-label={t.find} className={css.options}>
            {options.map((option, index) => (
              // oxlint-disable-next-line click-events-have-key-events -- the keys go to the field above, as of a combobox
              <div
                key={option.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                className={css.option}
                onMouseMove={() => setAt(index)}
                onClick={() => choose(option)}
                ref={index === at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
              >
                <Icon name={option.icon} />
                <span>{option.title}</span>
                <span>{option.kind}</span>
              </div>
            ))}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

async function search(
  words: string,
  role: string,
  signal: AbortSignal,
  go: (to: string) => () => void,
): Promise<readonly Option[]> {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{26}$/.exec(words) ?? [];
  const [path, operation = ''] = pagesOfIds[prefix] ?? [];
  if (path !== undefined && mayCall(operation, role))
    return [{ id: words, title: words, kind: t.palette.byId, icon: 'next', do: go(`${path}/${words}`) }];
  const list = { query: { q: words, limit: 5 } };
  const [orders, people, products] = await Promise.all([
    found(mayCall('getPackingSlip', role), () => api.orders.listOrders(list, { signal })),
    found(mayCall('listUsers', role), () => api.accounts.listUsers(list, { signal })),
    found(mayCall('exportProducts', role), () => api.products.listProducts(list, { signal })),
  ]);
  return [
    ...(orders?.data ?? []).map(({ id, number }) => ({
      id,
      title: number ?? id,
      kind: t.pages.orders,
      icon: 'orders' as const,
      do: go(`/orders/${id}`),
    })),
    ...(people?.data ?? []).map(({ id, firstName, lastName, email }) => ({
      id,
      title: `${firstName} ${lastName} · ${email}`,
      kind: t.pages.people,
      icon: 'people' as const,
      do: go(`/people/${id}`),
    })),
    ...(products?.data ?? []).map(({ id, name, sku }) => ({
      id,
      title: `${name} · ${sku}`,
      kind: t.pages.catalog,
      icon: 'catalog' as const,
      do: go(`/catalog/${id}`),
    })),
  ];
}

/** What a search has found; null where it may not be asked, or fails: the others still say what they have found. */
async function found<Answer>(isAllowed: boolean, ask: () => Promise<Answer>): Promise<Answer | null> {
  return isAllowed ? ask().catch(() => null) : null;
}
