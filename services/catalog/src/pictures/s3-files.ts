import type { S3Client } from '@aws-sdk/client-s3';
import { catalogHttp, commonErrors } from '@storefront/contracts';
import type { Logger } from 'pino';
import type { PictureFiles } from '../store/picture-files.ts';

export interface S3Bucket {
  readonly bucket: string;
  /** The address of a server other than that of AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined where the machine itself has a role at AWS. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

const folder = 'products/images/';
const [connectWithinMs, answerWithinMs] = [3000, 10_000];

/** Keeps the files in an S3 bucket. Throws `service_unavailable` where the bucket does not take or give a file. */
export function openS3Files(
  { bucket, endpoint, region, keys }: S3Bucket,
  logger: Pick<Logger, 'warn'>,
): PictureFiles & { close(): void } {
  let client: S3Client | undefined;

  // Loaded with the first picture.
  async function load() {
    const sdk = await import('@aws-sdk/client-s3');
    client ??= new sdk.S3Client({
      region,
      ...(keys && { credentials: keys }),
      // Other servers than AWS seldom have a host name for each bucket, and do not all know its newest checksums.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectWithinMs, requestTimeout: answerWithinMs },
    });
    return { sdk, client };
  }

  const object = (name: string) => ({ Bucket: bucket, Key: folder + name });

  async function available<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      logger.warn({ err: error, bucket }, 'the S3 bucket has not answered as it should');
      throw commonErrors.serviceUnavailable();
    }
  }

  return {
    async put(name, bytes) {
      const { sdk, client: s3 } = await load();
      const kind = name.slice(name.lastIndexOf('.') + 1) as catalogHttp.PictureKind;
      const file = { ...object(name), Body: bytes, ContentType: catalogHttp.pictureTypes[kind] };
      await available(s3.send(new sdk.PutObjectCommand(file)));
    },
    async read(name) {
      const { sdk, client: s3 } = await load();
      const reading = s3.send(new sdk.GetObjectCommand(object(name))).then(async ({ Body }) => {
        return Body ? Buffer.from(await Body.transformToByteArray()) : null;
      });
      const isMissing = (error: unknown) => error instanceof sdk.NoSuchKey || error instanceof sdk.NotFound;
      return available(reading.catch((error: unknown) => (isMissing(error) ? null : Promise.reject(error))));
    },
    async remove(names) {
      const { sdk, client: s3 } = await load();
      // One after the other: not every server can delete several at once.
      for (const name of names) await available(s3.send(new sdk.DeleteObjectCommand(object(name))));
    },
    close: () => client?.destroy(),
  };
}
