import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { escaped } from '../pages.ts';

/** A part of a guide: a heading and what follows up to the next one. */
export interface Section {
  readonly heading: string;
  /** The `id` of its heading in the page. */
  readonly anchor: string;
  /** Its text as a reader sees it, without markup. */
  readonly text: string;
}

export interface Guide {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

const folder = fileURLToPath(new URL('./', import.meta.resolve('@storefront/guides/package.json')));

/** Reads all guides, in the order of the numbers that their files begin with. */
export function readGuides(): readonly Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return files.sort().map((file) => toGuide(file.replace(/^\d+-|\.md$/g, ''), readFileSync(folder + file, 'utf8')));
}

function toGuide(name: string, markdown: string): Guide {
  const sections: Section[] = [];
  const markup = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const anchor = anchorOf(inner);
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`;
      },
      // Beyond the width of a phone, a table and a code block scroll by themselves, by the keyboard too.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return `<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const html = markup.parse(markdown, { async: false });
  for (const part of html.split(/(?=<h[1-3] id=")/)) {
    const [, anchor, heading] = /^<h[1-3] id="([^"]*)">(.*?)(?: <a class="anchor".*)?<\/h/.exec(part) ?? [];
    if (anchor !== undefined && heading !== undefined)
      sections.push({ anchor, heading: plain(heading), text: plain(part.replace(/^.*<\/h[1-3]>/, '')) });
  }
  return { name, title: sections[0]?.heading ?? name, html, sections };
}

/** As GitHub makes anchors, so that a link works in both places. */
function anchorOf(html: string): string {
  return plain(html)
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

function plain(html: string): string {
  const text = html
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  const unquoted = text.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  return unquoted.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
}
