import { catalogHttp, notFound } from '@storefront/contracts';
import { sendVersioned } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Product } from '../domain/product.ts';
import { viewerOf } from '../domain/visibility.ts';
import type { Store } from '../store/collections.ts';
import { showProduct } from './show-product.ts';

/** What all routes share that answer a product. `apiUrl` is the public address of the API. */
export function createProductAnswers({ products, apiUrl }: Pick<Store, 'products'> & { readonly apiUrl: string }) {
  return { answer, present, storedProduct, storedVariant };

  /** The answer with a product as the caller may see it. */
  function answer(request: FastifyRequest<any>, reply: FastifyReply, { state, version }: Loaded<Product>) {
    return sendVersioned(request, reply, version, showProduct(state, viewerOf(request), apiUrl));
  }

  /** The product as it is now. Throws `not_found`. */
  async function present(id: string): Promise<Loaded<Product>> {
    const found = await products.load(id);
    if (!found) throw notFound('product');
    return found;
  }

  /** The input with the addresses of pictures as they are stored. */
  function storedProduct<
    Input extends catalogHttp.ProductChange & { readonly variants?: catalogHttp.VariantCreation[] },
  >(input: Input): Input {
    const { images, variants } = input;
    return {
      ...input,
      ...(images && { images: images.map(({ url, alt }) => ({ url: catalogHttp.storedPicture(url, apiUrl), alt })) }),
      ...(variants && { variants: variants.map(storedVariant) }),
    };
  }

  function storedVariant<Input extends catalogHttp.VariantChange>(input: Input): Input {
    const { image } = input;
    return image ? { ...input, image: catalogHttp.storedPicture(image, apiUrl) } : input;
  }
}
