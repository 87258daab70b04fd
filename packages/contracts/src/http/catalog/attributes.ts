import { z } from 'zod';
import { line } from '../common.ts';

const mostAttributes = 30;
const largestNumber = 1e15;

/** The form of an attribute's name. */
export const attributeNamePattern = '[a-z][a-z0-9_-]{0,39}';

/** An attribute's text; also the form in which a filter names a value. */
export const attributeText = line(200);

const attributeName = z.string().regex(new RegExp(`^${attributeNamePattern}$`), {
  error: 'must begin with a letter from a to z, and hold only a-z, 0-9, _ and - (at most 40)',
});

const attributeValue = z.union([attributeText, z.number().min(-largestNumber).max(largestNumber), z.boolean()], {
  error: 'must be a text of 1 to 200 characters, a number, true or false',
});

/** The attributes of a product in a request, by their names. */
export const attributes = z
  .record(attributeName, attributeValue)
  .refine((values) => Object.keys(values).length <= mostAttributes, {
    error: `must not hold more than ${mostAttributes} attributes`,
  })
  .meta({
    description:
      'What the product is like: texts, numbers, true or false, by names that the shop chooses. Searches find the texts, and ' +
      'lists are filtered and counted by all of them.',
    maxProperties: mostAttributes,
    examples: [{ colour: 'blue', volume_ml: 300, dishwasher: true }],
  });

/** The attributes of a product in an answer and in the database. */
export const knownAttributes = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Attributes = z.output<typeof knownAttributes>;
