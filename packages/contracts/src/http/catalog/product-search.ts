import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { commaSeparated } from '../lists.ts';
import { attributeNamePattern, attributeText } from './attributes.ts';
import { slug } from './slug.ts';

const mostValues = 20;
const mostFilteredAttributes = 5;
const mostFacets = 10;
/** How many values a facet shows. */
export const mostFacetValues = 50;
/** How many ranges of prices a facet shows. */
export const mostPriceRanges = 10;

const attributePrefix = 'attr.';
const attributeKey = new RegExp(`^attr\\.${attributeNamePattern}$`);

const trueOrFalse = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The filters of a search, besides price and status. */
export const productFilters = {
  category: commaSeparated(z.union([idSchema('cat'), slug]), mostValues, 100)
    .optional()
    .meta({
      description:
        `In any of these categories: up to ${mostValues} ids or slugs, by commas; an unknown one is 400. Products in their ` +
        'sub-categories are included.',
      examples: ['loose-leaf-tea'],
    }),
  inStock: trueOrFalse.optional().meta({
    description: '`true`: only products that are in stock; `false`: only those that are not.',
    examples: ['true'],
  }),
};

const attributeFilter = commaSeparated(attributeText, mostValues, 400).meta({
  description:
    `Only products whose attribute has one of these values: up to ${mostValues}, by commas, as answers show them ` +
    `(\`\\,\` is a comma within a value). At most ${mostFilteredAttributes} attributes, each as \`attr.\` and its name; a product ` +
    'must fit all of them.',
  examples: ['blue,green'],
  // For the API's document: the fields as one parameter of many names.
  fields: { name: 'attributes', pattern: attributeKey.source, most: mostFilteredAttributes },
});

/**
 * Lets a query have fields such as `attr.colour`. Any other field that `query` does not name is refused as unknown, and each
 * wrong one is named. The fields are read by `attributeFiltersOf`, so the type of the query stays as it is.
 */
export function withAttributeFilters<Shape extends z.ZodRawShape>(
  query: z.ZodObject<Shape, z.core.$strict>,
): z.ZodObject<Shape, z.core.$strict> {
  const open: z.ZodObject = query.catchall(attributeFilter).superRefine(
    (values, context) => {
      const added = Object.keys(values).filter((key) => !(key in query.shape));
      const unknown = added.filter((key) => !attributeKey.test(key));
      if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown });
      for (const key of added.filter((each) => attributeKey.test(each)).slice(mostFilteredAttributes))
        context.addIssue({
          code: 'custom',
          path: [key],
          message: `must not be one of more than ${mostFilteredAttributes} attributes`,
        });
    },
    // Also where other fields are wrong, so that one refusal names them all.
    { when: () => true },
  );
  return open as typeof query;
}

/** The values of each attribute that a query filters by. */
export function attributeFiltersOf(query: object): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(query)
      .filter(([key]) => key.startsWith(attributePrefix))
      .map(([key, values]) => [key.slice(attributePrefix.length), values as string[]]),
  );
}

const facetField = z.string().regex(new RegExp(`^(category|price|inStock|attr\\.${attributeNamePattern})$`), {
  error: 'must be category, price, inStock, or attr. and the name of an attribute',
});

/** What a search may count. */
export const productCounts = {
  count: trueOrFalse
    .optional()
    .meta({ description: '`true` also answers how many products there are.', examples: ['true'] }),
  facets: commaSeparated(facetField, mostFacets, 45)
    .refine((fields) => new Set(fields).size === fields.length, { error: 'must not name a field twice' })
    .optional()
    .meta({
      description:
        `Also counts the products by the values of up to ${mostFacets} fields, by commas: \`category\`, \`price\`, \`inStock\`, and ` +
        'attributes such as `attr.colour`. A field is counted among the products that fit all other filters, so each number ' +
        'says how many products that value alone would leave.',
      examples: ['category,price,attr.colour'],
    }),
};

export const productCount = z
  .object({
    value: z.int(),
    exact: z.boolean().meta({ description: 'False where there may be more than `value`. Up to 10,000 it is exact.' }),
  })
  .meta({ id: 'ProductCount' });
export type ProductCount = z.output<typeof productCount>;

const facetValue = z
  .object({
    value: z
      .string()
      .meta({ description: 'What the filter of this field takes: of a category the id.', examples: ['blue'] }),
    label: z.string().meta({ description: 'For people: of a category the name, else the value.', examples: ['blue'] }),
    count: z.int().meta({ examples: [42] }),
  })
  .meta({ id: 'FacetValue' });

const valueFacet = z
  .object({
    type: z.literal('values'),
    field: z.string().meta({ examples: ['attr.colour'] }),
    values: z.array(facetValue).meta({
      description:
        `At most ${mostFacetValues} values with a product, those of most products first. A category counts the products of its ` +
        'sub-categories too.',
    }),
    hasMore: z.boolean().meta({ description: 'Whether there are further values.' }),
  })
  .meta({ id: 'ValueFacet' });

const facetRange = z
  .object({
    from: z.int().meta({ description: 'In minor units, as `minPrice` takes it.', examples: [1000] }),
    to: z.int().meta({ description: 'Included, as `maxPrice` takes it.', examples: [1999] }),
    count: z.int().meta({ examples: [42] }),
  })
  .meta({ id: 'FacetRange' });

const priceFacet = z
  .object({
    type: z.literal('ranges'),
    field: z.literal('price'),
    min: z.int().nullable().meta({ description: 'The lowest retail price, in minor units; null without products.' }),
    max: z.int().nullable().meta({ description: 'The highest retail price.' }),
    ranges: z.array(facetRange).meta({
      description: `At most ${mostPriceRanges} ranges of equal width with round edges; those without products are left out.`,
    }),
  })
  .meta({ id: 'PriceFacet' });

export const productFacet = z.discriminatedUnion('type', [valueFacet, priceFacet]).meta({ id: 'ProductFacet' });
export type ProductFacet = z.output<typeof productFacet>;
