import { notFound, type Actor } from '@storefront/contracts';
import { auditOfProduct } from '../domain/audit.ts';
import type { Store } from '../store/collections.ts';
import { saveProducts, type SaveNeeds } from './save-products.ts';

type Needs = SaveNeeds & Pick<Store, 'inTransaction'>;

/** Deletes a product. `expect` throws where the client has seen another version. */
export async function deleteProduct(
  needs: Needs,
  { id, actor, expect }: { id: string; actor: Actor; expect: (version: number) => void },
): Promise<void> {
  await needs.inTransaction((transaction) =>
    saveProducts(
      needs,
      transaction,
      [id],
      (_id, current, version) => {
        if (!current) throw notFound('product');
        expect(version);
        return null;
      },
      (before, after) => auditOfProduct(before, after, actor),
    ),
  );
}
