import type { Model } from './linearizable.ts';

export type StockInput = { readonly kind: 'move'; readonly change: number } | { readonly kind: 'read' };

/** The stock that the answer states; `insufficient` where the move was refused because too little is left. */
export type StockOutput = number | 'insufficient';

/** The stock of one product: moves add up, it never goes below zero, and every answer states the stock of its moment. */
export function stockModel(initial: number): Model<number, StockInput, StockOutput> {
  return {
    initial,
    keyOf: String,
    next(stock, { input, output, end }) {
      if (input.kind === 'read') return output === undefined || output === stock ? [stock] : [];
      const after = stock + input.change;
      if (output === 'insufficient') return after < 0 ? [stock] : [];
      const hasAnswer = end !== Infinity;
      if (after < 0) return hasAnswer ? [] : [stock];
      return output === undefined || output === after ? [after] : [];
    },
  };
}
