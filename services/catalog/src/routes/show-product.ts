import { catalogHttp } from '@storefront/contracts';
import { addressOf, filesOf, type ProductImage } from '../domain/pictures.ts';
import { seesTradePrices, type Viewer } from '../domain/visibility.ts';
import type { ListedProduct } from '../store/product-reads.ts';

/**
 * A product as this viewer may see it. Every answer with a product is made here, so that no answer shows a
 * trade price to the wrong caller. `apiUrl` is the public address of the API.
 */
export function showProduct(product: ListedProduct, viewer: Viewer, apiUrl: string): catalogHttp.ProductBody {
  return {
    id: product.id,
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    description: product.description,
    categoryIds: [...product.categoryIds],
    attributes: { ...product.attributes },
    images: product.images.map((image) => showImage(image, apiUrl)),
    price: product.price,
    ...(seesTradePrices(viewer) ? { tradePrice: product.tradePrice } : {}),
    stock: product.stock,
    status: product.status,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}

/** A picture of a product; an uploaded one with all of its sizes. */
function showImage({ url, alt, upload }: ProductImage, apiUrl: string): catalogHttp.ProductImageBody {
  const shown = { url: catalogHttp.shownPicture(url, apiUrl), alt };
  return upload ? { ...shown, ...showUpload(upload, apiUrl) } : shown;
}

/** The answer to an upload. */
export function showUploaded({ url, alt, upload }: ProductImage, apiUrl: string): catalogHttp.UploadedImageBody {
  if (!upload) throw new Error(`${url} is not an upload`);
  return { url: catalogHttp.shownPicture(url, apiUrl), alt, ...showUpload(upload, apiUrl) };
}

function showUpload(upload: NonNullable<ProductImage['upload']>, apiUrl: string) {
  const { width = 0, height = 0 } = upload.sizes.at(-1) ?? {};
  const sizes = filesOf(upload).map((file) => ({
    url: catalogHttp.shownPicture(addressOf(file.name), apiUrl),
    width: file.width,
    height: file.height,
    type: catalogHttp.pictureTypes[file.kind],
  }));
  return { id: upload.id, width, height, sizes };
}
