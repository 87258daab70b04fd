import { catalogHttp } from '@storefront/contracts';
import { addressOf, filesOf, type ProductImage } from '../domain/pictures.ts';
import { freeOf, freeOfProduct, hasVariants, isActive, priceOf, variantsOf, type Variant } from '../domain/variants.ts';
import { seesTradePrices, type Viewer } from '../domain/visibility.ts';
import type { ListedProduct } from '../store/listed-products.ts';

/**
 * A product as this viewer may see it. Every answer with a product is made here, so that no answer shows a
 * trade price, or a variant that is not for sale, to the wrong caller. The stock is what is free; staff see what was counted, and
 * what of it is reserved. `apiUrl` is the public address of the API.
 */
export function showProduct(product: ListedProduct, viewer: Viewer, apiUrl: string): catalogHttp.ProductBody {
  const { selling } = product;
  const variants = variantsOf(product);
  const seen = viewer === 'staff' || !hasVariants(product) ? variants : variants.filter(isActive);
  const body: catalogHttp.ProductBody = {
    id: product.id,
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    description: product.description,
    categoryIds: [...product.categoryIds],
    attributes: { ...product.attributes },
    images: product.images.map((image) => showImage(image, apiUrl)),
    price: product.price,
    priceRange: rangeOf(product),
    stock: viewer === 'staff' ? product.stock : freeOfProduct(product),
    status: product.status,
    taxClass: selling.taxClass,
    weight: selling.weight,
    relatedIds: [...selling.relatedIds],
    availableFrom: selling.availableFrom?.toISOString() ?? null,
    backOrders: selling.backOrders,
    options: product.options.map(({ name, values }) => ({ name, values: [...values] })),
    variants: seen.map((variant) => showVariant(variant, viewer, apiUrl)),
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
  if (seesTradePrices(viewer))
    addTradePrices(body, { tradePrice: product.tradePrice, quantityPrices: selling.quantityPrices });
  if (viewer === 'staff') {
    body.reserved = product.reserved;
    body.lowStockThreshold = selling.lowStockThreshold;
  }
  return body;
}

function showVariant(variant: Variant, viewer: Viewer, apiUrl: string): catalogHttp.VariantBody {
  const body: catalogHttp.VariantBody = {
    id: variant.id,
    sku: variant.sku,
    values: [...variant.values],
    price: variant.price,
    stock: viewer === 'staff' ? variant.stock : freeOf(variant),
    weight: variant.weight,
    image: variant.image && catalogHttp.shownPicture(variant.image, apiUrl),
    status: variant.status,
  };
  if (seesTradePrices(viewer)) addTradePrices(body, variant);
  if (viewer === 'staff') body.reserved = variant.reserved;
  return body;
}

type TradePrices = Pick<catalogHttp.VariantBody, 'tradePrice' | 'quantityPrices'>;

function addTradePrices(body: TradePrices, { tradePrice, quantityPrices }: Pick<Variant, keyof TradePrices>): void {
  body.tradePrice = tradePrice;
  body.quantityPrices = quantityPrices && quantityPrices.map(({ from, price }) => ({ from, price }));
}

function rangeOf(product: ListedProduct): catalogHttp.ProductBody['priceRange'] {
  const { price, variants } = product;
  if (!hasVariants(product)) return { min: price, max: price };
  const amounts = variants.filter(isActive).map((variant) => priceOf(variant, product).amount);
  const { currency } = price;
  return { min: { amount: Math.min(...amounts), currency }, max: { amount: Math.max(...amounts), currency } };
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
