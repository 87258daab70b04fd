import { z } from 'zod';

/** How a CSV file for people is written; for the query of operations that answer one. */
export const csvDialect = z
  .enum(['standard', 'excel-de'])
  .default('standard')
  .meta({
    description:
      'Of CSV: commas between cells and a decimal point, or `excel-de` for semicolons and a decimal comma, as Excel expects ' +
      'them in German and in other languages with a decimal comma.',
    examples: ['excel-de'],
  });
