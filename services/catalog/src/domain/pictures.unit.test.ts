import { newId } from '@storefront/contracts';
import { expect, it } from 'vitest';
import {
  addressOf,
  filesOf,
  movedUploads,
  newImage,
  unknownUploads,
  uploadAt,
  withoutPicture,
  withPicture,
  withUploads,
} from './pictures.ts';

const now = new Date('2026-11-21T09:30:00.000Z');
const upload = (id = newId('img')) => newImage({ id, kind: 'jpg', sizes: [{ width: 320, height: 240 }] }, 'A mug');
const elsewhere = { url: 'https://images.example.com/mug.jpg', alt: '' };

it('names files after the picture, its width and its kind, and knows the picture of each address again', () => {
  const id = newId('img');
  const files = filesOf({ id, kind: 'png', sizes: [{ width: 320, height: 1 }] });
  expect(files.map(({ name, kind }) => [name.slice(30), kind])).toEqual([
    ['-320.png', 'png'],
    ['-320.webp', 'webp'],
  ]);
  for (const { name } of files) {
    expect(uploadAt(addressOf(name))).toBe(id);
    expect(uploadAt(`https://shop.example${addressOf(name)}`)).toBe(id);
  }
  expect(filesOf({ id, kind: 'webp', sizes: [{ width: 320, height: 1 }] })).toHaveLength(1);
  for (const other of ['/v1/products/images/mug.svg', 'https://images.example.com/mug.jpg', addressOf('img-x')])
    expect(uploadAt(other)).toBeUndefined();
});

it('keeps uploads whose addresses are named, in the new order and with the new texts', () => {
  const [one, two] = [upload(), upload()];
  const wanted = [elsewhere, { url: `https://other.example${two.url}`, alt: 'Two' }];
  expect(withUploads([one, two], wanted)).toEqual([elsewhere, { ...two, alt: 'Two' }]);
});

it('finds addresses of uploads that the product does not have', () => {
  const [own, foreign] = [upload(), upload()];
  const product = { images: [own] };
  const ofAnotherShop = { url: `https://other.example${foreign.url}` };
  expect(unknownUploads(product, [own, elsewhere, ofAnotherShop])).toEqual([]);
  expect(unknownUploads(product, [own, foreign])).toMatchObject([
    { pointer: '/images/1/url', code: 'unknown_picture' },
  ]);
  expect(unknownUploads(null, [own])).toHaveLength(1);
  expect(unknownUploads(product, undefined)).toEqual([]);
});

it('adds a picture once, and 20 of them at most', () => {
  const product = { images: Array.from({ length: 19 }, () => elsewhere), updatedAt: new Date(0) };
  const image = upload();
  const full = withPicture(product, image, now);
  expect(full).toEqual({ images: [...product.images, image], updatedAt: now });
  expect(withPicture(full, image, now)).toBe(full);
  expect(() => withPicture(full, upload(), now)).toThrow('at most 20');
});

it('removes a picture', () => {
  const image = upload();
  const product = { images: [elsewhere, image], updatedAt: new Date(0) };
  expect(withoutPicture(product, image.upload?.id ?? '', now)).toEqual({ images: [elsewhere], updatedAt: now });
  expect(withoutPicture(product, newId('img'), now)).toBeNull();
});

it('says which uploads a change adds and removes', () => {
  const [one, two] = [upload(), upload()];
  const [idOne, idTwo] = [one.upload?.id, two.upload?.id];
  expect(movedUploads({ images: [elsewhere, one] }, { images: [two] })).toEqual({ added: [idTwo], removed: [idOne] });
  expect(movedUploads({ images: [one] }, null)).toEqual({ added: [], removed: [idOne] });
  expect(movedUploads(null, { images: [one] })).toEqual({ added: [idOne], removed: [] });
});
