export { guarded, unguarded } from './formulas.ts';
export { createCsv, csvMediaType, decimalSigns, type Csv, type CsvCell, type CsvDialect } from './csv.ts';
