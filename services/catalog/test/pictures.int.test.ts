import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { catalogHttp, newId } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { onePixel } from '@storefront/testing';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnnamedPictures } from '../src/commands/pictures.ts';
import { openStore } from '../src/store/collections.ts';
import { openPictureFiles } from '../src/store/picture-files.ts';
import { startCatalog, statuses, wrongFields, type Harness, type Who } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(async () => {
  await catalog.close();
});

const upload: Harness['upload'] = (...request) => catalog.upload(...request);
/** What the job of the service has. */
async function openParts() {
  const needs = { database: catalog.connection, now: catalog.now };
  const store = await openStore({ ...needs, relay: noRelay });
  return { ...store, now: catalog.now, pictureFiles: openPictureFiles(catalog.connection) };
}

const pathOf = (url: string) => new URL(url).pathname;
async function fetchFile(url: string, headers: Readonly<Record<string, string>> = {}, from = catalog.url()) {
  return fetch(from + pathOf(url), { headers: { ...(await catalog.headersFor(null)), ...headers } });
}
async function bytesOf(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetchFile(url)).arrayBuffer());
}
const productOf = async (id: string) =>
  (await catalog.call<catalogHttp.ProductBody>('admin', 'GET', `/v1/products/${id}`)).body;
const imageIds = async (id: string) => (await productOf(id)).images.map((image) => image.id);

const one = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const plain = (width: number, height: number) => one(width, height, '#08f');
const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
const toBuffer = async (image: Sharp) => Buffer.from(await image.toBuffer());
const png = (width = 4, height = 4) => toBuffer(plain(width, height).png());

function pngOf(width: number, height: number): Buffer<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * 100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('an upload', () => {
  it('becomes the last picture of the product, upright, in three widths, without what the file says of itself', async () => {
    const { id } = await catalog.product({ images: [{ url: 'https://images.example.com/mug.jpg', alt: '' }] });
    const sent = await toBuffer(
      // Its left half is red, and is the upper half when it is shown.
      plain(2000, 1000)
        .composite([{ input: await one(1000, 1000, '#f00').png().toBuffer(), left: 0, top: 0 }])
        .withExif({
          IFD0: { ImageDescription: 'a-secret-place' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">a-secret-place</x:xmpmeta>')
        .withMetadata({ orientation: 6 })
        .jpeg(),
    );
    expect(sent.includes('a-secret-place')).toBe(true);
    const { status, headers, body } = await upload(id, sent, { type: 'image/jpeg', alt: ' A mug ' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/^img_/), alt: 'A mug', width: 1000, height: 2000 });
    const name = `https://api.example/v1/products/images/${String(body.id).replace('_', '-')}`;
    expect(body.url).toBe(`${name}-1000.jpg`);
    expect(headers.get('location')).toBe(pathOf(body.url));
    expect(body.sizes).toEqual(
      (['jpg', 'webp'] as const).flatMap((kind) =>
        [
          [240, 480],
          [600, 1200],
          [1000, 2000],
        ].map(([width, height]) => ({
          url: `${name}-${width}.${kind}`,
          width,
          height,
          type: kind === 'jpg' ? 'image/jpeg' : 'image/webp',
        })),
      ),
    );
    for (const size of body.sizes) {
      const bytes = await bytesOf(size.url);
      expect(bytes.includes('a-secret-place')).toBe(false);
      const { format, width, height, exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata();
      expect([`image/${format}`, width, height]).toEqual([size.type, size.width, size.height]);
      expect([exif, xmp, icc, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const redAt = (row: number) => data[(row * info.width + Math.floor(info.width / 2)) * info.channels] ?? 0;
      expect([redAt(9) > 200, redAt(info.height - 9) > 200]).toEqual([true, false]);
    }
    const product = await productOf(id);
    expect(product.images).toEqual([{ url: 'https://images.example.com/mug.jpg', alt: '' }, body]);
    await catalog.idle();
    const [changed] = catalog.eventsOf(id, 'catalog.product-changed');
    expect(changed?.data).toMatchObject({ id, image: 'https://images.example.com/mug.jpg' });
  });

  it('is served for ever, and to pages of every origin', async () => {
    const { id } = await catalog.product();
    const { body } = await upload(id, await png());
    const answer = await fetchFile(body.url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const known = await fetchFile(body.url, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect([known.status, await known.text()]).toEqual([304, '']);
    for (const other of [body.url.replace('-4.', '-5.'), body.url.replace('.png', '.avif')])
      expect((await fetchFile(other, { 'if-none-match': '*' })).status).toBe(404);
  });

  it.each(['png', 'webp', 'avif'] as const)('of the kind %s stays of that kind', async (kind) => {
    const { id } = await catalog.product();
    const { status, body } = await upload(id, await toBuffer(plain(400, 10).toFormat(kind)), { type: 'image/jpeg' });
    expect(status).toBe(201);
    const kinds = [...new Set([`image/${kind}`, 'image/webp'])];
    expect(body.sizes.map(({ width, type }: { width: number; type: string }) => [type, width])).toEqual(
      kinds.flatMap((type) => [320, 400].map((width) => [type, width])),
    );
    expect((await fetchFile(body.url)).headers.get('content-type')).toBe(`image/${kind}`);
  });

  it('that is sent again under its Idempotency-Key is one picture with the same answer', async () => {
    const { id } = await catalog.product();
    const [bytes, headers] = [await png(), { 'idempotency-key': newId('evt') }];
    const answers = await Promise.all([1, 2, 3].map(() => upload(id, bytes, { headers })));
    const [first] = answers;
    for (const { status, body } of answers) expect([status, body]).toEqual([201, first?.body]);
    expect(await imageIds(id)).toEqual([first?.body.id]);
    expect((await upload(id, await png(5, 5), { headers })).body.code).toBe('idempotency_key_reused');
  });

  it('is for staff of the catalog, for products that exist, and for up to 20 pictures', async () => {
    const images = Array.from({ length: 19 }, () => ({ url: 'https://images.example.com/mug.jpg', alt: '' }));
    const { id } = await catalog.product({ images });
    const bytes = await png();
    expect((await upload(id, bytes, { who: 'anonymous' })).status).toBe(401);
    expect((await upload(id, bytes, { who: 'retail' })).body.code).toBe('role_required');
    expect((await upload(newId('prod'), bytes)).body.code).toBe('not_found');
    expect(wrongFields(await upload(id, bytes, { alt: 'x'.repeat(201) }))).toEqual({ '/alt': 'too_big' });
    const both = await Promise.all([upload(id, bytes), upload(id, bytes)]);
    expect(statuses(both)).toEqual({ 201: 1, 422: 1 });
    expect((await upload(id, bytes)).body.code).toBe('too_many_pictures');
  });

  it('ends at 2,000 of a member of the staff on a day', async () => {
    const { id } = await catalog.product();
    await upload(id, await png());
    const counts = catalog.collection('upload_counts');
    await counts.updateMany({}, { $set: { count: 2000 } });
    const { status, headers, body } = await upload(id, await png());
    expect([status, body.code]).toEqual([429, 'too_many_uploads']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await counts.deleteMany({});
  });
});

describe('an attack by a picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const script = Buffer.from('<script>alert(1)</script>/*PK\x03\x04*/');

  it.each<
    [what: string, outcome: string, make: () => Promise<Buffer<ArrayBuffer>> | Buffer<ArrayBuffer>, type?: string]
  >([
    ['an SVG', '415 picture_not_supported', () => Buffer.from(svg), 'image/svg+xml'],
    ['an SVG that is named a PNG', '415 picture_not_supported', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    [
      'a GIF that is a script too',
      '415 picture_not_supported',
      () => Buffer.from('GIF89a=1/*\x01\x00*/;alert(1)', 'latin1'),
    ],
    ['a real GIF', '415 picture_not_supported', async () => toBuffer(plain(4, 4).gif()), 'image/gif'],
    ['a TIFF', '415 picture_not_supported', async () => toBuffer(plain(4, 4).tiff()), 'image/tiff'],
    ['a ZIP', '415 picture_not_supported', () => Buffer.from('PK\x03\x04nothing of a picture')],
    ['a page', '415 picture_not_supported', () => Buffer.from('<!doctype html><title>x</title>')],
    ['a PDF', '415 picture_not_supported', () => Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj')],
    ['nothing', '415 picture_not_supported', () => Buffer.alloc(0)],
    ['the head of a PNG alone', '415 picture_not_supported', async () => Buffer.from((await png()).subarray(0, 20))],
    [
      'a PNG that ends early',
      '422 picture_unreadable',
      async () => {
        const whole = await toBuffer(noise(200).png());
        return Buffer.from(whole.subarray(0, whole.length / 2));
      },
    ],
    [
      'a JPEG that ends early',
      '422 picture_unreadable',
      async () => {
        const whole = await toBuffer(plain(500, 500).jpeg());
        return Buffer.from(whole.subarray(0, whole.length - 200));
      },
    ],
    ['a bomb of 60,000 × 60,000 pixels', '422 picture_too_large', () => pngOf(60_000, 60_000)],
    ['a picture of 16,001 × 1 pixels', '422 picture_too_large', () => pngOf(16_001, 1)],
    ['JSON', '415 unsupported_media_type', () => Buffer.from('{}'), 'application/json'],
    ['a PNG as a form', '415 unsupported_media_type', () => png(), 'multipart/form-data; boundary=x'],
    ['a PNG as any bytes', '415 unsupported_media_type', () => png(), 'application/octet-stream'],
    ['more than 20 MiB', '413 body_too_large', () => Buffer.alloc(20 * 1024 * 1024 + 1)],
  ])('%s is %s', async (_what, outcome, make, type) => {
    const { id } = await catalog.product();
    const { status, body } = await upload(id, await make(), type === undefined ? {} : { type });
    expect(`${status} ${body.code}`).toBe(outcome);
    expect(await imageIds(id)).toEqual([]);
  });

  it('by bytes behind a picture leaves nothing of them', async () => {
    for (const kind of ['jpeg', 'png'] as const) {
      const { id } = await catalog.product();
      const polyglot = Buffer.concat([await toBuffer(plain(400, 300).toFormat(kind)), script]);
      const { status, body } = await upload(id, polyglot);
      expect(status).toBe(201);
      for (const { url } of body.sizes) expect((await bytesOf(url)).includes('alert')).toBe(false);
    }
  });

  it('by an animation leaves its first frame', async () => {
    const { id } = await catalog.product();
    const frames = await Promise.all(['#f00', '#00f'].map((color) => toBuffer(one(8, 8, color).png())));
    const animated = await toBuffer(sharp(frames, { join: { animated: true } }).webp());
    expect((await sharp(animated).metadata()).pages).toBe(2);
    const { body } = await upload(id, animated, { type: 'image/webp' });
    expect([body.width, body.height]).toEqual([8, 8]);
    expect((await sharp(await bytesOf(body.url)).metadata()).pages ?? 1).toBe(1);
  });

  it('by ten at once is answered, each taken or asked to come again', async () => {
    const { id } = await catalog.product();
    const bytes = await png(1000, 1000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(id, bytes)));
    const taken = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await imageIds(id)).toHaveLength(taken.length);
    expect(taken.length).toBeGreaterThan(2);
  });
});

describe('pictures of a product', () => {
  it('get another order and other texts by a change of the product, which can remove them too', async () => {
    const { id } = await catalog.product();
    const [one, two, three] = [
      (await upload(id, await png())).body,
      (await upload(id, await png())).body,
      (await upload(id, await png())).body,
    ];
    const images = [
      { url: three.sizes[0].url, alt: 'Three' },
      { url: 'https://images.example.com/mug.jpg', alt: '' },
      { url: one.url, alt: 'One' },
    ];
    const changed = await catalog.call('admin', 'PATCH', `/v1/products/${id}`, { images });
    expect(changed.body.images).toEqual([{ ...three, alt: 'Three' }, images[1], { ...one, alt: 'One' }]);
    const again = await catalog.call('admin', 'PATCH', `/v1/products/${id}`, { images });
    expect(again.headers.get('etag')).toBe(changed.headers.get('etag'));
    // What was removed is not taken back by its address.
    const wrong = await catalog.call('admin', 'PATCH', `/v1/products/${id}`, { images: [{ url: two.url }] });
    expect(wrongFields(wrong)).toEqual({ '/images/0/url': 'unknown_picture' });
    const body = { sku: newId('evt'), name: 'Mug', price: { amount: 1, currency: 'EUR' }, images: [{ url: one.url }] };
    const created = await catalog.call('admin', 'POST', '/v1/products', body);
    expect(wrongFields(created)).toEqual({ '/images/0/url': 'unknown_picture' });
  });

  it('is that of a variant while the product has it, and of nothing else', async () => {
    const options = [{ name: 'Size', values: ['S', 'M', 'L'] }];
    const { id, variants } = await catalog.product({ options });
    const own = (await upload(id, onePixel)).body;
    const foreign = (await upload((await catalog.product()).id, onePixel)).body;
    const path = `/v1/products/${id}/variants`;
    const small = `${path}/${variants[0]?.id}`;
    const changed = await catalog.call('admin', 'PATCH', small, { image: own.sizes[0].url });
    expect(changed.body.variants[0].image).toBe(own.sizes[0].url);

    const refused = [
      await catalog.call('admin', 'PATCH', small, { image: foreign.url }),
      await catalog.call('admin', 'POST', path, { sku: newId('evt'), values: ['M'], image: foreign.url }),
      await catalog.call('admin', 'POST', '/v1/products', {
        sku: newId('evt'),
        name: 'Mug',
        price: { amount: 1, currency: 'EUR' },
        options,
        variants: [{ sku: newId('evt'), values: ['S'], image: own.url }],
      }),
      await catalog.call('admin', 'POST', '/v1/categories', { name: 'Mugs', image: own.url }),
      await catalog.call('admin', 'PATCH', `/v1/categories/${(await catalog.category()).id}`, { image: own.url }),
    ];
    expect(refused.map(wrongFields)).toEqual([
      { '/image': 'unknown_picture' },
      { '/image': 'unknown_picture' },
      { '/variants/0/image': 'unknown_picture' },
      { '/image': 'picture_of_product' },
      { '/image': 'picture_of_product' },
    ]);

    await catalog.call('admin', 'DELETE', `/v1/products/${id}/images/${own.id}`);
    expect((await productOf(id)).variants[0]?.image).toBeNull();
    const other = (await upload(id, onePixel)).body;
    await catalog.call('admin', 'PATCH', small, { image: other.url });
    await catalog.call('admin', 'PATCH', `/v1/products/${id}`, { images: [] });
    expect((await productOf(id)).variants[0]?.image).toBeNull();
  });

  it('are deleted one by one, by their version', async () => {
    const { id } = await catalog.product();
    const one = (await upload(id, await png())).body;
    const two = (await upload(id, await png())).body;
    const remove = (imageId: string, who: Who = 'admin', headers = {}) =>
      catalog.call(who, 'DELETE', `/v1/products/${id}/images/${imageId}`, undefined, headers);
    expect((await remove(one.id, 'retail')).status).toBe(403);
    expect((await remove(one.id, 'admin', { 'if-match': '"1"' })).body.code).toBe('version_mismatch');
    expect((await remove(one.id)).status).toBe(204);
    expect((await remove(one.id)).status).toBe(404);
    expect(await imageIds(id)).toEqual([two.id]);
  });

  it('keep their files for a day after no product names them, as those do that no product came to name', async () => {
    const kept = await catalog.product();
    const gone = await catalog.product();
    const stays = (await upload(kept.id, await png())).body;
    const removed = (await upload(kept.id, await png())).body;
    const deleted = (await upload(gone.id, await png())).body;
    await catalog.call('admin', 'DELETE', `/v1/products/${kept.id}/images/${removed.id}`);
    await catalog.call('admin', 'DELETE', `/v1/products/${gone.id}`);
    const parts = await openParts();
    // An upload whose instance was killed before the product named the picture.
    const interrupted = { id: newId('img'), productId: kept.id, files: ['img-interrupted.png'] };
    await parts.pictures.begin(interrupted);
    await parts.pictureFiles.put('img-interrupted.png', await png());

    const served = () => Promise.all([stays, removed, deleted].map(async ({ url }) => (await fetchFile(url)).status));
    await removeUnnamedPictures(parts);
    expect(await served()).toEqual([200, 200, 200]);
    const aDayLater = () => new Date(catalog.now().getTime() + 24 * 60 * 60 * 1000 + 1);
    await removeUnnamedPictures({ ...parts, now: aDayLater });
    expect(await served()).toEqual([200, 404, 404]);
    expect(await parts.pictureFiles.read('img-interrupted.png')).toBeNull();
    const ids = [stays, removed, deleted, interrupted].map(({ id }) => id);
    const known = await catalog
      .collection('pictures')
      .find({ _id: { $in: ids } })
      .toArray();
    expect(known.map(({ _id }) => _id)).toEqual([stays.id]);
  });

  it('whose files are being deleted can not be named any more', async () => {
    const { pictures } = await openParts();
    const picture = { id: newId('img'), productId: newId('prod'), files: [] };
    await pictures.begin(picture);
    await pictures.begin(picture);
    expect(await pictures.takeUnnamed(new Date(catalog.now().getTime() + 1), 100)).toContainEqual(picture);
    await expect(pictures.begin(picture)).rejects.toMatchObject({ code: 'too_many_changes' });
    const session = catalog.connection.getClient().startSession();
    const transaction = { session, afterCommit: () => undefined };
    await expect(pictures.name([picture.id], transaction)).rejects.toMatchObject({ code: 'too_many_changes' });
    await session.endSession();
    await pictures.forget([picture.id]);
  });

  it('keep their files while the product names them, whatever an attempt to upload them once more has noted', async () => {
    const { id } = await catalog.product();
    const { body } = await upload(id, await png());
    const parts = await openParts();
    const stored = () => catalog.collection('pictures').findOne({ _id: body.id });
    const { files } = await stored();
    await parts.pictures.begin({ id: body.id, productId: id, files });
    expect(await stored()).toMatchObject({ unnamedSince: null, isRemoved: false });
    await catalog.collection('pictures').updateOne({ _id: body.id }, { $set: { unnamedSince: new Date(0) } });
    await removeUnnamedPictures(parts);
    expect((await fetchFile(body.url)).status).toBe(200);
    expect(await stored()).toMatchObject({ unnamedSince: null, isRemoved: false });
  });
});

describe('pictures in an S3 bucket', () => {
  /** What an S3 server does with single objects, for requests that are signed with the key `access`. */
  async function startBucket() {
    const objects = new Map<string, { readonly bytes: Buffer; readonly type: string | undefined }>();
    let isAway = false;
    async function answer(request: IncomingMessage): Promise<[status: number, body?: Buffer | string, type?: string]> {
      const { method, url = '', headers } = request;
      const bytes = await buffer(request);
      const key = new URL(url, 'http://x').pathname;
      if (isAway) return [500, '<Error><Code>InternalError</Code></Error>'];
      const signed =
        /^AWS4-HMAC-SHA256 Credential=access\/\d{8}\/eu-test-1\/s3\/aws4_request, SignedHeaders=\S*host\S*, Signature=[0-9a-f]{64}$/;
      if (!signed.test(headers.authorization ?? '')) return [403, '<Error><Code>AccessDenied</Code></Error>'];
      if (method === 'PUT') objects.set(key, { bytes, type: headers['content-type'] });
      if (method === 'DELETE') objects.delete(key);
      if (method !== 'GET') return [method === 'PUT' ? 200 : 204];
      const found = objects.get(key);
      return found ? [200, found.bytes, found.type] : [404, '<Error><Code>NoSuchKey</Code></Error>'];
    }
    const server = createServer((request, response) => {
      void answer(request).then(([status, body, type = 'application/xml']) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const settings = {
      S3_BUCKET: 'shop',
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_REGION: 'eu-test-1',
      S3_ACCESS_KEY_ID: 'access',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    return { objects, settings, setAway: (away: boolean) => (isAway = away), close: () => server.close() };
  }

  it('are stored there, served and deleted; those that were uploaded before stay in the database', async () => {
    const bucket = await startBucket();
    const instance = await catalog.another({ settings: bucket.settings });
    const { url } = instance;
    const { id } = await catalog.product();
    const before = (await upload(id, await png())).body;
    const { status, body } = await upload(id, await png(), { url });
    expect(status).toBe(201);
    const names = body.sizes.map((size: { url: string }) => `/shop/products/images/${size.url.split('/').at(-1)}`);
    expect([...bucket.objects].map(([key, { type }]) => [key, type])).toEqual([
      [names[0], 'image/png'],
      [names[1], 'image/webp'],
    ]);
    for (const picture of [before, body]) expect((await fetchFile(picture.url, {}, url)).status).toBe(200);
    expect((await fetchFile(body.url)).status).toBe(404);
    const served = await (await fetchFile(body.url, {}, url)).arrayBuffer();
    expect(Buffer.from(served).equals(bucket.objects.get(names[0])?.bytes ?? Buffer.alloc(0))).toBe(true);

    bucket.setAway(true);
    const refused = await upload(id, await png(), { url });
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
    expect(await imageIds(id)).toEqual([before.id, body.id]);
    bucket.setAway(false);
    await instance.close();
    bucket.close();
  });

  it('are deleted by the job of the service', async () => {
    const bucket = await startBucket();
    const { openS3Files } = await import('../src/pictures/s3-files.ts');
    const files = openS3Files(
      {
        bucket: 'shop',
        endpoint: bucket.settings.S3_ENDPOINT,
        region: 'eu-test-1',
        keys: { accessKeyId: 'access', secretAccessKey: 'secret' },
      },
      { warn: () => undefined } as never,
    );
    await files.put('a.png', Buffer.from('a'));
    await files.put('b.png', Buffer.from('b'));
    await files.remove(['a.png', 'not-there.png']);
    expect([...bucket.objects.keys()]).toEqual(['/shop/products/images/b.png']);
    expect(await files.read('a.png')).toBeNull();
    files.close();
    bucket.close();
  });

  it('need the whole configuration', async () => {
    for (const [settings, missing] of [
      [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET: is required'],
      [{ S3_BUCKET: 'shop', S3_ACCESS_KEY_ID: 'access' }, 'S3_SECRET_ACCESS_KEY: is required'],
      [{ S3_BUCKET: 'shop', S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ACCESS_KEY_ID: is required'],
    ] as const)
      await expect(catalog.another({ settings })).rejects.toThrow(missing);
  });
});
