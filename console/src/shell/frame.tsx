import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState, type FocusEvent } from 'react';
import { api } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { setTimeZone } from '../format.ts';
import { chooseLanguage, language, t } from '../language/index.ts';
import { A, Button, Empty, Loading } from '../parts/basics.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { isDialogOpen } from '../parts/row-keys.ts';
import { sayProblem, Toasts } from '../parts/toasts.tsx';
import { ConflictDialog } from './conflict.tsx';
import { KeysDialog, useKeys } from './keys.tsx';
import { keepFocus } from './focus.ts';
import { followLinks } from './links.ts';
import { useNotifications } from './live.ts';
import { mayOpen, menuOf } from './menu-entries.ts';
import { Palette } from './palette.tsx';
import { ProofDialog } from './proof.tsx';
import { leave, userOf, useSession } from './session.ts';
import css from './shell.module.css';
import { nextTheme, theme } from './theme.ts';

/** What surrounds every page: the menu of one's role, the search, and who is signed in. */
export function Frame() {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const router = useRouter();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  const [areKeysOpen, setAreKeysOpen] = useState(false);
  const [, setTheme] = useState(theme());
  const main = useRef<HTMLElement>(null);
  const side = useRef<HTMLElement>(null);
  const opener = useRef<HTMLSpanElement>(null);
  const user = userOf(session);
  useNotifications(session.kind === 'staff' ? session.user.id : undefined);
  const shop = useRead(api.invoices.getShopSettings, {});
  if (shop.data) setTimeZone(shop.data.timeZone);
  const role = user?.role ?? '';
  const menu = menuOf(role);
  useKeys(menu, { palette: () => setIsPaletteOpen(true), help: () => setAreKeysOpen(true) });
  useEffect(() => followLinks(router), [router]);
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), []);
  useEffect(() => {
    const links = side.current;
    if (isMenuOpen) (links?.querySelector<HTMLElement>('a[aria-current]') ?? links?.querySelector('a'))?.focus();
  }, [isMenuOpen]);
  const closeMenu = () => {
    setIsMenuOpen(false);
    opener.current?.querySelector('button')?.focus();
  };
  // The page is below it: whoever goes on into the page has to see where.
  const leaveMenu = ({ relatedTarget: to }: FocusEvent) =>
    to instanceof Element && !to.closest('[data-open]') && setIsMenuOpen(false);
  const former = useRef(path);
  useEffect(() => {
    setIsMenuOpen(false);
    // Whoever has opened a page from outside of it goes on within it.
    const isOutside = !main.current?.contains(document.activeElement) && !isDialogOpen();
    if (path !== former.current && isOutside) main.current?.focus({ preventScroll: true });
    former.current = path;
    const entry = menu.findLast(({ to }) => (to === '/' ? path === '/' : path.startsWith(to)));
    document.title = entry ? `${entry.title} · ${t.console}` : t.console;
  }, [path]);
  if (!user) return null;
  const isCurrent = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  const go = (to: string) => void router.navigate({ to });

  return (
    <div className={css.frame}>
      <a className={css.skip} href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t.skip}
      </a>
      <nav
        ref={side}
        className={css.side}
        data-open={isMenuOpen ? '' : undefined}
        aria-label={t.menu}
        onKeyDown={({ key }) => isMenuOpen && key === 'Escape' && closeMenu()}
        // Also where the link leads to the page that is open.
        onClick={({ target }) => target instanceof Element && target.closest('a') && setIsMenuOpen(false)}
        onBlur={leaveMenu}
      >
        <div className={css.brand}>
          <img src="/console/icon.svg" alt="" />
          {t.console}
        </div>
        {menu.map((entry, at) => (
          <div key={entry.to}>
            {entry.group !== menu[at - 1]?.group && entry.group !== '' && (
              <div className={css.group}>{entry.group}</div>
            )}
            <A to={entry.to} className={css.link} isCurrent={isCurrent(entry.to)}>
              <Icon name={entry.icon} />
              {entry.title}
            </A>
          </div>
        ))}
      </nav>
      <button
        type="button"
        className={css.shade}
        data-open={isMenuOpen ? '' : undefined}
        aria-label={t.close}
        onClick={closeMenu}
        onBlur={leaveMenu}
      />
      <div>
        <header className={css.top}>
          <span ref={opener} className={css.open}>
            <Button
              tone="quiet"
              icon="menu"
              label={t.menu}
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen(!isMenuOpen)}
            />
          </span>
          <button type="button" className={css.find} onClick={() => setIsPaletteOpen(true)}>
            <Icon name="search" size={16} />
            <span>{t.find}</span>
            <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : t.ctrl} K</kbd>
          </button>
          <Button
            tone="quiet"
            icon={theme() === 'dark' ? 'sun' : 'moon'}
            label={t.switchTheme}
            onClick={() => setTheme(nextTheme())}
          />
          <Menu
            trigger={<Button tone="quiet" icon="user" label={t.account} />}
            items={[
              { name: `${user.firstName} ${user.lastName}`, icon: 'user', do: () => go('/account') },
              {
                name: language === 'en' ? 'Deutsch' : 'English',
                icon: 'info',
                do: () => chooseLanguage(language === 'en' ? 'de' : 'en'),
              },
              { name: t.keys.title, icon: 'more', do: () => setAreKeysOpen(true) },
              { name: t.signOut, icon: 'close', do: () => void leave().catch(sayProblem) },
            ]}
          />
        </header>
        <main id="main" ref={main} tabIndex={-1} className={css.main}>
          {shop.isPending ? (
            // Pages begin when the time zone is known in which they show times.
            <Loading lines={6} />
          ) : mayOpen(role, path) ? (
            <Suspense fallback={<Loading lines={6} />}>
              <Outlet />
            </Suspense>
          ) : (
            <Empty title={t.notYours}>
              <p>{t.notYoursMore}</p>
            </Empty>
          )}
        </main>
      </div>
      <Palette
        open={isPaletteOpen}
        onOpenChange={setIsPaletteOpen}
        menu={menu}
        role={role}
        help={() => setAreKeysOpen(true)}
      />
      <KeysDialog open={areKeysOpen} onOpenChange={setAreKeysOpen} menu={menu} />
      <ProofDialog />
      <ConflictDialog />
      <Toasts />
    </div>
  );
}
