import { createRequire } from 'node:module';
import type bidiFactory from 'bidi-js';
import { paperFont, type Weight } from './font.ts';
import { facesFor, isRightToLeft, joins, type Face, type Han } from './scripts.ts';

/** A part of a line that is of one font and one direction, as pdfkit draws it. */
export interface Piece {
  readonly text: string;
  readonly face: Face;
}

// Its types are those of a module with a default export, which it is not.
const createBidi = createRequire(import.meta.url)('bidi-js') as typeof bidiFactory.default;
const bidi = createBidi();
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Whether both weights of a font have the character. */
function has(face: Face, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return paperFont(face, 'regular').has(codePoint) && paperFont(face, 'bold').has(codePoint);
}

/** The font for the character; null where none has it. */
export function faceOf(character: string, han: Han): Face | null {
  return facesFor(character, han).find((face) => has(face, character)) ?? null;
}

/** The line in the order in which it is drawn, from left to right. Where it is read from right to left the first word is the last piece. */
export function piecesOf(line: string, han: Han): Piece[] {
  if (/^[\x20-\x7e]*$/.test(line)) return [{ text: line, face: 'sans' }];
  const levels = isRightToLeft(line) ? bidi.getEmbeddingLevels(line).levels : null;
  const runs: { text: string; face: Face; level: number; isJoined: boolean }[] = [];
  for (const { segment, index } of clusters.segment(line)) {
    const level = levels?.[index] ?? 0;
    for (const { text, face } of inFonts(withoutMarks(segment), han)) {
      const last = runs.at(-1);
      const isJoined = joins(text);
      if (last && last.face === face && last.level === level && last.isJoined === isJoined) last.text += text;
      else runs.push({ text, face, level, isJoined });
    }
  }
  return inOrder(runs).map(({ text, face, level, isJoined }) => ({
    text: level % 2 === 1 && !isJoined ? mirrored(text) : text,
    face,
  }));
}

/** A letter with its accents, in one font where one has all of it. */
function inFonts(cluster: string, han: Han): Piece[] {
  if (cluster === '') return [];
  const characters = Array.from(cluster);
  const [first = ''] = characters;
  const whole = facesFor(first, han).find((face) => characters.every((character) => has(face, character)));
  if (whole !== undefined) return [{ text: cluster, face: whole }];
  return characters.map((character) => ({ text: character, face: faceOf(character, han) ?? 'sans' }));
}

/** Marks of direction have done their work. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u200e\u200f]/g, '');
}

/** Signs between words that are read from right to left: in that order, and brackets turned around. */
function mirrored(text: string): string {
  return Array.from(clusters.segment(text), ({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
    .toReversed()
    .join('');
}

/** Rule L2 of the bidirectional algorithm (UAX #9): from the highest level down to 1, what is of it or above is turned around. */
function inOrder<Run extends { readonly level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level >= 1; level -= 1) {
    let begin = 0;
    while (begin < ordered.length) {
      let end = begin;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      ordered.splice(begin, end - begin, ...ordered.slice(begin, end).toReversed());
      begin = end + 1;
    }
  }
  return ordered;
}

/** The width of a piece in points. */
export function widthOfPiece({ text, face }: Piece, weight: Weight, size: number): number {
  return paperFont(face, weight).widthOf(text, size);
}
