import { catalogHttp } from '@storefront/contracts';
import { createCsv, decimalSigns } from '@storefront/csv';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { decideFile, idOf } from '../../../test/decide-file.ts';
import { newProduct, type Product } from '../product.ts';
import { rowsOfProduct } from './columns.ts';
import { faultInWords } from './file-row.ts';
import { createRefusedCsv } from './report.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const made = (input: object) => {
  const parsed = catalogHttp.productCreation.parse(input);
  return newProduct(parsed, { id: idOf(parsed.sku), slug: parsed.sku.toLowerCase(), now: new Date(0) });
};
/** The shirt S of a product that comes in S and M. */
const shirt = made({
  sku: 'SHIRT',
  name: 'Shirt',
  price: eur(2500),
  options: [{ name: 'Size', values: ['S', 'M'] }],
  variants: [
    { sku: 'SHIRT-S', values: ['S'], stock: 4 },
    { sku: 'SHIRT-M', values: ['M'], stock: 2, price: eur(2700) },
  ],
});
const mug = made({ sku: 'MUG', name: 'Mug', price: eur(900), stock: 3 });
const head = 'sku,variantOf,name,option1,option2,price,tradePrice,quantityPrices,stock,status';
const decide = (lines: readonly string[], products = [shirt, mug]) =>
  decideFile([head, ...lines].join('\n'), { products });
const saidOf = ({ outcomes }: ReturnType<typeof decideFile>) =>
  outcomes.flatMap((row) => row.faults.map((each) => faultInWords(row, each)));

describe('products with variants', () => {
  const line = fc
    .string({
      minLength: 1,
      maxLength: 6,
      unit: fc.constantFrom('S', 'm', '=', '|', '\\', '"', "'", '-', ' ', 'é', ','),
    })
    .map((text) => `${text.trim()}.`);
  const amount = fc.integer({ min: 0, max: 500_000 }).map(eur);
  const quantityPrices = fc.constantFrom(
    [],
    [{ from: 10, price: eur(100) }],
    [
      { from: 10, price: eur(130_000) },
      { from: 100, price: eur(99) },
    ],
  );
  const option = fc.record({
    name: line,
    values: fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: lower }),
  });
  const product = fc
    .record({
      options: fc.uniqueArray(option, { maxLength: 3, selector: ({ name }) => lower(name) }),
      tradePrice: fc.option(amount),
      quantityPrices,
      price: amount,
    })
    .chain(({ options, ...own }) => {
      const combinations = options.reduce<string[][]>(
        (all, { values }) => all.flatMap((some) => values.map((value) => [...some, value])),
        [[]],
      );
      const variant = fc.record({
        stock: fc.nat(9),
        price: fc.option(amount),
        tradePrice: fc.option(amount),
        quantityPrices: fc.option(quantityPrices),
        weight: fc.option(fc.nat(900)),
        image: fc.constantFrom(null, 'https://images.example.com/a|b.png', '/v1/products/images/mug.svg'),
        status: fc.constantFrom('active', 'active', 'archived'),
      });
      const values = options.length === 0 ? fc.constant([]) : fc.shuffledSubarray(combinations, { minLength: 1 });
      return values.chain((chosen) =>
        fc.tuple(...chosen.map(() => variant)).map((fields) => ({
          ...own,
          options,
          variants: fields.map((each, index) => ({
            ...each,
            ...(index === 0 && { status: 'active' }),
            values: chosen[index],
          })),
        })),
      );
    });
  const products = fc.array(product, { minLength: 1, maxLength: 4 }).map((all) =>
    all.map(({ variants, ...own }, at) => {
      // A variant may have the SKU of its product.
      const numbered = variants.map((each, index) => ({ ...each, sku: index === 1 ? `P-${at}` : `P-${at}-${index}` }));
      return made({ ...own, sku: `P-${at}`, name: `Product ${at}`, variants: numbered });
    }),
  );
  const fileOf = (all: readonly Product[], dialect: 'standard' | 'excel-de') => {
    const { head: first, lines } = createCsv(
      catalogHttp.productColumns.map(({ name }) => name),
      dialect,
    );
    return first + lines(all.flatMap((each) => rowsOfProduct(each, (id) => id, decimalSigns[dialect])));
  };
  const runs = { numRuns: inject('isProof') ? 10_000 : 100 };

  it('that are exported are unchanged by the file, and made as they were by it in an empty catalog', () => {
    fc.assert(
      fc.property(products, fc.constantFrom('standard', 'excel-de'), (all, dialect) => {
        const file = fileOf(all, dialect);
        const same = decideFile(file, { products: all });
        expect(saidOf(same)).toEqual([]);
        expect(same.products).toEqual([]);
        expect(new Set(same.outcomes.map(({ result }) => result))).toEqual(new Set(['unchanged']));
        const created = decideFile(file).products.map(({ after }) => after);
        const withoutTimes = (each: Product) => ({ ...each, slug: '', createdAt: 0, updatedAt: 0 });
        expect(created.map(withoutTimes)).toEqual(all.map(withoutTimes));
      }),
      runs,
    );
  });

  it('have one new price after the price of one variant was changed in the file', () => {
    fc.assert(
      fc.property(products, fc.nat(), (all, number) => {
        const [at, varied] = [...all.entries()].find(([, each]) => each.variants.length > 0) ?? [];
        fc.pre(at !== undefined && varied !== undefined);
        const chosen = number % (varied?.variants.length ?? 1);
        const next = varied?.variants.map((each, index) =>
          index === chosen ? { ...each, price: eur(777_777) } : each,
        );
        const edited = all.map((each, index) => (index === at ? { ...each, variants: next ?? [] } : each));
        const { outcomes, products: decided } = decideFile(fileOf(edited, 'standard'), { products: all });
        expect(outcomes.filter(({ result }) => result !== 'unchanged')).toMatchObject([
          { result: 'changed', sku: next?.[chosen]?.sku, changes: [{ column: 'price', to: '7777.77' }] },
        ]);
        expect(decided.map(({ after }) => after.variants)).toEqual([next]);
      }),
      runs,
    );
  });

  function lower(text: string): string {
    return text.toLowerCase();
  }
});

describe('rows of variants', () => {
  it('change a stored product without a row of its own, and add variants at its end', () => {
    const { outcomes, products } = decide(['SHIRT-M,SHIRT,,,,26.00,,,,', 'SHIRT-X,shirt,,S,,,,,9,']);
    expect(outcomes.map(({ result }) => result)).toEqual(['refused', 'refused']);
    expect(products).toEqual([]);
    const good = decide([
      'SHIRT,,,Size=S|M|X,,,,,,',
      'SHIRT-M,SHIRT,,,,26.00,,,,',
      'SHIRT-X,shirt,,X,,,,10=20|50=19,9,',
    ]);
    expect(
      good.outcomes.map(({ result, changes }) => [result, ...changes.map(({ column, to }) => `${column} ${to}`)]),
    ).toEqual([
      ['changed', 'option1 Size=S|M|X'],
      ['changed', 'price 26.00'],
      [
        'created',
        'sku SHIRT-X',
        'variantOf SHIRT',
        'option1 X',
        'quantityPrices 10=20.00|50=19.00',
        'stock 9',
        'status active',
      ],
    ]);
    const [small, medium] = shirt.variants;
    const after = good.products[0]?.after;
    expect(after?.variants).toMatchObject([
      small,
      { ...medium, price: eur(2600) },
      { sku: 'SHIRT-X', values: ['X'], price: null },
    ]);
    expect(after).toMatchObject({ stock: 15, lowestPrice: 2500 });
  });

  it('add their values to an option whose row names it alone', () => {
    const { products } = decide(['SHIRT,,,Length,,,,,,', 'SHIRT-L,SHIRT,,L,,,,,,']);
    expect(products[0]?.after.options).toEqual([{ name: 'Length', values: ['S', 'M', 'L'] }]);
  });

  it('exchange their values, and follow new names of them', () => {
    const { products } = decide(['SHIRT,,,Size=Small|M,,,,,,', 'SHIRT-S,SHIRT,,M,,,,,,', 'SHIRT-M,SHIRT,,Small,,,,,,']);
    expect(products[0]?.after.variants.map(({ values }) => values)).toEqual([['M'], ['Small']]);
  });

  it('give a product its first options, of which it becomes the first variant', () => {
    const { products } = decide(['MUG,,,Colour,,,,,,', 'MUG,MUG,,blue,,,,,,', 'MUG-R,MUG,,red,,,,,5,']);
    expect(products[0]?.after).toMatchObject({
      options: [{ name: 'Colour', values: ['blue', 'red'] }],
      variants: [
        { sku: 'MUG', values: ['blue'], stock: 3 },
        { sku: 'MUG-R', values: ['red'], stock: 5 },
      ],
    });
  });

  it('are refused together, with what is wrong by line and column, and no other product is', () => {
    for (const [lines, said] of [
      [
        ['NEW,,New,Size=S|M,,5,,,,', 'NEW-S,NEW,,S,,,,,many,', 'NEW-M,NEW,,XL,,,,,,'],
        [
          'line 2 (NEW): is not imported because of line 3, of the same product',
          'line 3 (NEW-S), stock: "many" is not a whole number, 0 or more (1,000,000,000 at most)',
          'line 4 (NEW-M): is not imported because of line 3, of the same product',
        ],
      ],
      [
        [
          'NEW,,New,Size=S|M,Colour=red,5,,,7,',
          'NEW-S,NEW,,S,,,,,,',
          'NEW-M,NEW,,XL,red,,,,,',
          'SHIRT-S,NEW,,M,red,,,,,',
        ],
        [
          'line 2 (NEW), stock: "7" can not be: each variant has its own',
          'line 3 (NEW-S), option2: is missing: a new variant has a value of each option',
          'line 4 (NEW-M), option1: "XL" is not one of the values of Size: S, M',
          'line 5 (SHIRT-S), sku: "SHIRT-S" belongs to another product',
        ],
      ],
      [
        ['NEW,,New,,Colour=red,5,,,,', 'NEW-S,NEW,,,red,,,,,'],
        [
          'line 2 (NEW), option2: "Colour" can not be without option1',
          'line 3 (NEW-S): is not imported because of line 2, of the same product',
        ],
      ],
      [
        ['NEW,,New,Size,size=S,5,,,,', 'NEW-S,NEW,,S,S,,,,,'],
        [
          'line 2 (NEW), option2: "size" is the name of another option',
          'line 3 (NEW-S): is not imported because of line 2, of the same product',
        ],
      ],
      [
        ['NEW,,New,Size,,5,,,,'],
        ['line 2 (NEW), option1: "Size" has no values: they stand after it, as in `Size=S|M`, or in rows of variants'],
      ],
      [
        ['NEW,,New,Size,,5,,,,', 'NEW-1,NEW,,s,,,,,,', 'NEW-2,NEW,,S,,,,,,'],
        [
          'line 2 (NEW), option1: "Size" has more than 50 values, or one of them twice in another case',
          'line 3 (NEW-1): is not imported because of line 2, of the same product',
          'line 4 (NEW-2): is not imported because of line 2, of the same product',
        ],
      ],
      [
        ['NEW,,New,,,5,,,,', 'NEW-S,NEW,,S,,,,,,'],
        [
          'line 2 (NEW): is not imported because of line 3, of the same product',
          'line 3 (NEW-S), variantOf: "NEW" has no options: its row needs one, such as `Size=S|M` in option1',
        ],
      ],
      [
        ['GONE-S,GONE,,S,,,,,,'],
        ['line 2 (GONE-S), variantOf: "GONE" is no product: its row must stand before those of its variants'],
      ],
      [
        ['SHIRT-S,,,,,,,,5,', 'SHIRT-L,SHIRT-M,,L,,,,,,'],
        [
          'line 2 (SHIRT-S), sku: "SHIRT-S" belongs to a variant of SHIRT, which variantOf must name',
          'line 2 (SHIRT-S), stock: "5" can not be: each variant has its own',
          'line 3 (SHIRT-L), variantOf: "SHIRT-M" is a variant of SHIRT, not a product',
        ],
      ],
      [
        ['SHIRT,,,Size=M|L,,,,,,', 'SHIRT-L,SHIRT,,M,red,,,,,'],
        [
          'line 2 (SHIRT), option1: "Size" leaves out "S", which SHIRT-S has',
          'line 3 (SHIRT-L), option2: "red" can not be: SHIRT has no such option',
          'line 3 (SHIRT-L): has the same values as SHIRT-M',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,Shirt S,,,,,,,archived', 'SHIRT-M,SHIRT,,,,,,,,gone'],
        [
          'line 2 (SHIRT-S), name: "Shirt S" can not be in the row of a variant: it is the same for the whole product',
          'line 3 (SHIRT-M), status: "gone" is not active or archived',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,,,,,,,,archived', 'SHIRT-M,SHIRT,,,,,,,,archived'],
        [
          'line 2 (SHIRT-S): is not imported because of line 3, of the same product',
          'line 3 (SHIRT-M), status: "archived" can not be: at least one variant of a product is active',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,,,,,,1=5,,', 'SHIRT-M,SHIRT,,,,,,10=1.299,,'],
        [
          'line 2 (SHIRT-S), quantityPrices: "1=5" is not a list of 10 prices by quantity at most, such as `10=9.99|100=8.99`',
          'line 3 (SHIRT-M), quantityPrices: "10=1.299" has the price "1.299", which can mean 1299 as well as 1.299: write all decimals, such as 1299.00',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,,,,,,10=5|20=6,,'],
        [
          'line 2 (SHIRT-S), quantityPrices: "10=5|20=6" is not a list of 10 prices by quantity at most, such as `10=9.99|100=8.99`: it must go up by `from`, and each price be lower than the one before',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,,,,,,,1,', 'MUG,,,,,10,,,,', 'SHIRT-M,SHIRT,,,,,,,1,', 'SHIRT-M,MUG,,,,,,,,'],
        [
          'line 4 (SHIRT-M), variantOf: "SHIRT" stands in line 2 already: the rows of a product follow each other',
          'line 5 (SHIRT-M), variantOf: "MUG" stands in line 3 already: the rows of a product follow each other',
        ],
      ],
      [
        ['SHIRT-S,SHIRT,,,,,,,1,', 'SHIRT-S,SHIRT,,,,,,,2,', 'SHIRT-S,,New,,,5,,,,'],
        [
          'line 2 (SHIRT-S): is not imported because of line 3, of the same product',
          'line 3 (SHIRT-S), sku: "SHIRT-S" stands in line 2 already',
          'line 4 (SHIRT-S), sku: "SHIRT-S" stands in line 2 already',
        ],
      ],
    ] as const)
      expect(saidOf(decide(lines))).toEqual(said);
    expect(decide(['SHIRT-S,SHIRT,,,,,,,many,', 'MUG,,,,,10,,,,']).products).toMatchObject([
      { after: { price: eur(1000) } },
    ]);
  });

  it('are 100 of a product at most', () => {
    const rows = Array.from(
      { length: 102 },
      (_, index) => `NEW-${index},NEW,,S${index % 50},C${Math.floor(index / 50)},,,,,`,
    );
    expect(saidOf(decide(['NEW,,New,Size,Colour,5,,,,', ...rows.slice(0, 100)]))).toEqual([]);
    const said = saidOf(decide(['NEW,,New,Size,Colour,5,,,,', ...rows]));
    expect(said).toHaveLength(103);
    expect(said.at(-1)).toBe('line 104 (NEW-101): is one too many: a product has 100 variants at most');
  });

  it('go with a row of which nothing can be read, before, between and after them', () => {
    const unknown = '"lost",a"b,,,,,,,,';
    const of = (...lines: string[]) => decide(lines).outcomes.map(({ result }) => result);
    const [product, small, medium] = ['SHIRT,,,,,26,,,,', 'SHIRT-S,SHIRT,,,,,,,1,', 'SHIRT-M,SHIRT,,,,,,,1,'];
    expect(of(unknown, small, medium, 'MUG,,,,,10,,,,')).toEqual(['refused', 'refused', 'refused', 'changed']);
    expect(of(product, small, unknown, medium)).toEqual(['refused', 'refused', 'refused', 'refused']);
    expect(of(product, small, unknown, 'MUG,,,,,10,,,,')).toEqual(['refused', 'refused', 'refused', 'changed']);
    expect(of('MUG,,,,,10,,,,', unknown, product)).toEqual(['changed', 'refused', 'changed']);
  });

  it('are mended in the file of refused rows', () => {
    const { file, outcomes } = decide(['NEW,,New,Size=S|M,,5,,,,', 'NEW-S,NEW,,S,,,,,many,', 'NEW-M,NEW,,M,,,,,1,']);
    const { head: first, lines } = createRefusedCsv(file);
    const mended = decideFile((first + lines(outcomes)).replaceAll(',many,', ',3,'), { products: [shirt] });
    expect(mended.products[0]?.after.variants).toMatchObject([{ sku: 'NEW-S', stock: 3 }, { sku: 'NEW-M' }]);
  });
});

describe('a JSON file', () => {
  it('has variants in their product, in the form of the API', () => {
    const size = { name: 'Size', values: ['S', 'M'] };
    const input = {
      sku: 'NEW',
      name: 'New',
      price: eur(500),
      quantityPrices: [{ from: 10, price: eur(400) }],
      options: [size],
      variants: [
        { sku: 'NEW-S', values: ['S'], price: eur(450), image: 'https://images.example.com/s.png' },
        { sku: 'NEW-M', values: ['M'], quantityPrices: [], stock: 4 },
      ],
    };
    const { file, outcomes, products } = decideFile(JSON.stringify([input, { sku: 'MUG', stock: 4 }]), {
      products: [mug],
      isJson: true,
    });
    expect(outcomes.map(({ place, end, result }) => [place, end, result])).toEqual([
      ['product 1', 1, 'created'],
      ['product 1, variant 1', 2, 'created'],
      ['product 1, variant 2', 3, 'created'],
      ['product 2', 4, 'changed'],
    ]);
    expect(products[0]?.after).toEqual({ ...made(input), slug: 'new', createdAt: new Date(1), updatedAt: new Date(1) });
    const { head: first, lines } = createRefusedCsv(file);
    // Its rows as CSV say the same.
    const again = decideFile(first + lines(outcomes)).products[0]?.after;
    expect(again).toEqual(products[0]?.after);
  });

  it('can clear what a variant has of its own', () => {
    const file = JSON.stringify([{ sku: 'SHIRT', variants: [{ sku: 'SHIRT-M', price: null }] }]);
    const { products } = decideFile(file, { products: [shirt], isJson: true });
    expect(products[0]?.after.variants[1]?.price).toBeNull();
  });

  it('is refused where it has no such lists', () => {
    const file = [
      { sku: 'A', name: 'A', price: eur(1), variants: {}, options: [1, 2, 3, 4] },
      { name: 'B', variants: [{ sku: 'B-1', values: ['S'] }, 5] },
      { sku: 'C', name: 'C', price: eur(1), options: [{ name: 'Size' }], variants: [{ sku: 'C-1', values: 'S' }] },
    ];
    expect(saidOf(decideFile(JSON.stringify(file), { isJson: true }))).toEqual([
      'product 1 (A), options: is not a list of 3 options at most',
      'product 1 (A), variants: is not a list of variants',
      'product 2, sku: is missing: it says which product the row is about',
      'product 2, variant 1 (B-1), variantOf: is missing: its product has no SKU',
      'product 2, variant 2: is not an object',
      'product 3 (C): is not imported because of product 3, variant 1, of the same product',
      'product 3, variant 1 (C-1), values: is not a list of 3 values at most',
    ]);
  });
});
