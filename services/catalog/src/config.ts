import { ConfigError, configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';
import type { S3Bucket } from './pictures/s3-files.ts';

export const configSchema = z.object({
  ...serviceConfig,
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code' })
    .default('EUR')
    .describe("The shop's currency (ISO 4217): every price is in it, so that prices can be compared and sorted."),
  API_URL: configTypes.webAddress.describe(
    'The public address of the gateway, for the addresses of pictures in answers.',
  ),
  PICTURES_DIR: z
    .string()
    .optional()
    .describe('A folder with pictures to serve at /v1/products/images/, beside those that are uploaded.'),
  S3_BUCKET: z
    .string()
    .optional()
    .describe('The S3 bucket that keeps uploaded pictures; without it the database of the catalog keeps them.'),
  S3_ENDPOINT: configTypes.webAddress.optional().describe('The address of an S3 server; without it that of AWS.'),
  S3_REGION: z.string().default('us-east-1').describe('The region of the bucket.'),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('The key to the bucket; without it the role is used that the machine has at AWS.'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of that key.'),
});

/** Returns the bucket that keeps uploaded pictures, if there is one. Throws ConfigError where something of it is missing. */
export function bucketOf(config: CatalogConfig): S3Bucket | undefined {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const missing = [
    ...(S3_BUCKET === undefined && (S3_ENDPOINT ?? S3_ACCESS_KEY_ID ?? S3_SECRET_ACCESS_KEY) !== undefined
      ? ['S3_BUCKET']
      : []),
    ...(S3_ACCESS_KEY_ID === undefined && S3_SECRET_ACCESS_KEY !== undefined ? ['S3_ACCESS_KEY_ID'] : []),
    ...(S3_SECRET_ACCESS_KEY === undefined && S3_ACCESS_KEY_ID !== undefined ? ['S3_SECRET_ACCESS_KEY'] : []),
  ];
  if (missing.length > 0)
    throw new ConfigError(
      `The configuration is not valid:\n${missing.map((name) => `  ${name}: is required`).join('\n')}`,
    );
  if (S3_BUCKET === undefined) return undefined;
  const keys =
    S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? undefined
      : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  return { bucket: S3_BUCKET, endpoint: S3_ENDPOINT, region: S3_REGION, keys };
}

export type CatalogConfig = z.output<typeof configSchema>;
