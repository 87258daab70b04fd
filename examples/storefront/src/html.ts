import { html, raw } from 'hono/html';

export { html };

/** Markup. Whatever a template of `html` is given is escaped, unless it is markup itself. */
export type Html = ReturnType<typeof html>;

/** What is shown where there is nothing to show. */
export const nothing = raw('');
