import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, Model } from '@ironcalc/wasm';
import { parse } from 'csv-parse/sync';

let isReady = false;

/** What a spreadsheet makes of a file: the text that each cell shows, and the formulas that it would run. */
export function openInSpreadsheet(csv: string): { readonly cells: string[][]; readonly formulas: string[] } {
  if (!isReady) {
    initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@ironcalc/wasm/wasm_bg.wasm'))) });
    isReady = true;
  }
  const model = new Model('report', 'en', 'UTC', 'en');
  const read: string[][] = parse(csv, { bom: true, record_delimiter: '\r\n', relax_column_count: false });
  const formulas: string[] = [];
  const cells = read.map((texts, row) =>
    texts.map((text, column) => {
      model.setUserInput(0, row + 1, column + 1, text);
      const content = model.getCellContent(0, row + 1, column + 1);
      if (content.startsWith('=')) formulas.push(text);
      return model.getFormattedCellValue(0, row + 1, column + 1);
    }),
  );
  model.free();
  return { cells, formulas };
}
