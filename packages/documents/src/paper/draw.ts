import { setImmediate } from 'node:timers/promises';
import type { Locale } from '@storefront/contracts';
import PdfFile from 'pdfkit';
import { paperFont } from './font.ts';
import type { Mark } from './pages.ts';
import { piecesOf, widthOfPiece } from './pieces.ts';
import { baselineOf } from './text.ts';

/** A4, in points. */
export const paper = { width: 595.28, height: 841.89 } as const;

export interface Properties {
  readonly title: string;
  readonly createdAt: Date;
  /** The language of the texts; English by default. */
  readonly language?: Locale;
}

/**
 * The number of marks that are drawn before other work of the process may run. Drawing them takes less than a
 * millisecond.
 */
const marksAtOnce = 20;

/**
 * Draws the pages as PDF/A-2b. The same pages and properties always give the same bytes, because the id of the file is
 * a digest of its properties.
 */
export async function draw(
  pages: readonly (readonly Mark[])[],
  { title, createdAt, language = 'en' }: Properties,
): Promise<Buffer> {
  const document = new PdfFile({
    size: [paper.width, paper.height],
    margin: 0,
    autoFirstPage: false,
    subset: 'PDF/A-2b',
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: { Title: title, CreationDate: createdAt, Producer: 'Storefront', Creator: 'Storefront' },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  let drawn = 0;
  for (const page of pages) {
    document.addPage();
    for (const mark of page) {
      drawMark(document, mark);
      drawn += 1;
      if (drawn % marksAtOnce === 0) await setImmediate();
    }
  }
  await setImmediate();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawMark(document: PDFKit.PDFDocument, mark: Mark): void {
  switch (mark.kind) {
    case 'text':
      drawText(document, mark);
      break;
    case 'area':
      document.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.colour);
      break;
    case 'code':
      drawCode(document, mark);
      break;
  }
}

/** Draws the pieces of a line side by side, on one base line even if their fonts have different heights. */
function drawText(document: PDFKit.PDFDocument, { x, y, text, style }: Extract<Mark, { readonly kind: 'text' }>): void {
  const { weight, size, colour, han = 'sc' } = style;
  let left = x;
  for (const piece of piecesOf(text, han)) {
    const { font } = paperFont(piece.face, weight);
    document
      // pdfkit also accepts fonts of fontkit, but its types do not say so.
      .font(font as unknown as Uint8Array, `${piece.face}-${weight}`, size)
      .fillColor(colour)
      .text(piece.text, left, y + baselineOf(style), { lineBreak: false, baseline: 'alphabetic' });
    left += widthOfPiece(piece, weight, size);
  }
}

/**
 * Draws the QR code. All dark modules are filled together as one shape, so that no gap is visible between
 * neighbouring modules on a screen.
 */
function drawCode(
  document: PDFKit.PDFDocument,
  { x, y, size, modules }: Extract<Mark, { readonly kind: 'code' }>,
): void {
  const side = size / modules.length;
  for (const [row, line] of modules.entries()) {
    let begin = 0;
    while (begin < line.length) {
      let end = begin;
      while (line[end]) end += 1;
      if (end > begin) document.rect(x + begin * side, y + row * side, (end - begin) * side, side);
      begin = end + 1;
    }
  }
  document.fill('#000000');
}
