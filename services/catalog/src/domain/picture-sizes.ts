// Without imports: the process that decodes pictures has nothing else of the service.

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How many million pixels a picture may have. To decode an AVIF takes several times the memory of the others. */
export const megapixels = { png: 50, jpg: 50, webp: 50, avif: 16 } as const;
/** As no format has much more. */
const longestSide = 16_000;

// Heights are limited too, so that each file fits into one document of the database.
const widths = [320, 800, 1600];
const heightPerWidth = 1.5;

/** The sizes in which a picture is stored, the smallest first. None is larger than the picture. */
export function sizesOf(picture: Size): Size[] {
  const sizes = widths.map((width) => {
    const scale = Math.min(1, width / picture.width, (width * heightPerWidth) / picture.height);
    const scaled = (side: number) => Math.max(1, Math.round(side * scale));
    return { width: scaled(picture.width), height: scaled(picture.height) };
  });
  return sizes.filter((each, at) => each.width !== sizes[at + 1]?.width);
}

/** Whether a picture of this kind may be decoded. */
export function isTaken(kind: keyof typeof megapixels, { width, height }: Size): boolean {
  return width * height <= megapixels[kind] * 1_000_000 && Math.max(width, height) <= longestSide;
}
