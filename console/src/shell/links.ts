import type { AnyRouter } from '@tanstack/react-router';

/** The page that the link at which something happens leads to; undefined where the browser is to follow it, or there is none. */
function pageAt({ target }: Event): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  const isPage = link?.origin === location.origin && /^\/console(\/|$)/.test(link.pathname);
  return isPage && !link.target && !link.download ? link.pathname + link.search : undefined;
}

/**
 * Has the router open the links to pages of the console, and load a page that somebody is about to open. One listener does it for
 * all links: a list has hundreds, and the component that the router has for a link follows every change of the address.
 */
export function followLinks(router: AnyRouter): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  function follow(event: MouseEvent): void {
    const page = pageAt(event);
    const isOther = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (page === undefined || isOther || event.defaultPrevented) return;
    event.preventDefault();
    if (page === router.history.location.href) router.history.replace(page);
    else router.history.push(page);
  }
  let last: string | undefined;
  function prepare(event: Event): void {
    const page = pageAt(event);
    if (page === last) return;
    last = page;
    const [path = ''] = page?.replace('/console', '').split('?') ?? [];
    // Where it can't be loaded, opening it says so.
    if (page !== undefined) void router.preloadRoute({ to: path || '/' }).catch(() => undefined);
  }
  document.addEventListener('click', follow, { signal });
  document.addEventListener('pointerover', prepare, { signal });
  document.addEventListener('focusin', prepare, { signal });
  return () => controller.abort();
}
