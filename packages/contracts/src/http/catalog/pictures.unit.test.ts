import { expect, test } from 'vitest';
import { pictureAddress, shownPicture, storedPicture } from './pictures.ts';

test.each([
  ['https://images.example.com/mug.jpg', 'https://images.example.com/mug.jpg'],
  ['HTTPS://Images.Example.com:443/a b/../mug.jpg?x=<y>', 'https://images.example.com/a%20b/../mug.jpg?x=<y>'],
  ['https://bücher.example/bild.png', 'https://xn--bcher-kva.example/bild.png'],
  ['https:\\\\images.example.com\\mug.jpg', 'https://images.example.com/mug.jpg'],
  ['/v1/products/images/mug.svg', '/v1/products/images/mug.svg'],
])('%s becomes the address that a browser would ask for', (given, read) => {
  expect(pictureAddress.parse(given)).toBe(new URL(read, 'https://x').href.replace(/^https:\/\/x\//, '/'));
});

test.each([
  ['https://user@images.example.com/mug.jpg', 'password'],
  ['https://user:secret@images.example.com/mug.jpg', 'password'],
  ['https://shop.example@evil.example/mug.jpg', 'password'],
  ['https://:secret@images.example.com/mug.jpg', 'password'],
  ['javascript:alert(1)', 'http or https'],
  ['data:image/png;base64,AAAA', 'http or https'],
  ['ftp://images.example.com/mug.jpg', 'http or https'],
  ['//images.example.com/mug.jpg', 'http or https'],
  ['/v1/products/images/../../users/me', 'http or https'],
  ['/etc/passwd', 'http or https'],
  [`https://images.example.com/${'ü'.repeat(1000)}`, '2048'],
])('%s is refused', (given, why) => {
  expect(pictureAddress.safeParse(given).error?.issues[0]?.message).toContain(why);
});

test.each([
  ['/v1/products/images/mug.svg', 'https://api.example/v1/products/images/mug.svg'],
  ['https://images.example.com/v1/products/images/mug.svg', 'https://images.example.com/v1/products/images/mug.svg'],
])('%s is shown as %s, which is stored as it was', (stored, shown) => {
  expect(shownPicture(stored, 'https://api.example')).toBe(shown);
  expect(storedPicture(shown, 'https://api.example')).toBe(stored);
});
