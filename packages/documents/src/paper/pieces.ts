import { createRequire } from 'node:module';
import type bidiFactory from 'bidi-js';
import { paperFont, type Weight } from './font.ts';
import { facesFor, isRightToLeft, joins, type Face, type Han } from './scripts.ts';

/** A part of a line in one font and one direction, as pdfkit needs it. */
export interface Piece {
  readonly text: string;
  readonly face: Face;
}

// The types of `bidi-js` describe a default export, which the module does not have.
const createBidi = createRequire(import.meta.url)('bidi-js') as typeof bidiFactory.default;
const bidi = createBidi();
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Whether the font has the character in both weights. */
function has(face: Face, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return paperFont(face, 'regular').has(codePoint) && paperFont(face, 'bold').has(codePoint);
}

/** The font for the character; null if no font has it. */
export function faceOf(character: string, han: Han): Face | null {
  return facesFor(character, han).find((face) => has(face, character)) ?? null;
}

/**
 * Splits a line into pieces, in the order from left to right in which they are drawn. In a line that is read from right
 * to left, the first word is the last piece.
 */
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

/** Finds the font for a letter with its accents: one font for all of them if possible. */
function inFonts(cluster: string, han: Han): Piece[] {
  if (cluster === '') return [];
  const characters = Array.from(cluster);
  const [first = ''] = characters;
  const whole = facesFor(first, han).find((face) => characters.every((character) => has(face, character)));
  if (whole !== undefined) return [{ text: cluster, face: whole }];
  return characters.map((character) => ({ text: character, face: faceOf(character, han) ?? 'sans' }));
}

/** Removes marks of direction. They have already determined the order of the pieces, and would not be visible. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u200e\u200f]/g, '');
}

/** Reverses the characters between words that are read from right to left, and mirrors brackets. */
function mirrored(text: string): string {
  return Array.from(clusters.segment(text), ({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
    .toReversed()
    .join('');
}

/**
 * Puts runs into their visible order by rule L2 of the bidirectional algorithm (UAX #9): from the highest level down to
 * 1, every sequence of runs with at least this level is reversed.
 */
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
