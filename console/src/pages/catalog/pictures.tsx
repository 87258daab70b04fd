import type { Product } from '@storefront/client';
import { useState, type DragEvent } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { act, Action } from '../../parts/action.tsx';
import { Button, Card, Row, Stack } from '../../parts/basics.tsx';
import { TextField } from '../../parts/form.tsx';
import { Thumb } from './catalog.tsx';
import css from './catalog.module.css';

/** The pictures of a product: drop files to add some; the first one stands for the product. */
export function Pictures({ product, may }: { product: Product; may: boolean }) {
  const [isOver, setIsOver] = useState(false);
  const params = { id: product.id };
  const add = (files: FileList | null) =>
    void act(t.catalog.pictures, async () => {
      for (const file of files ?? [])
        await api.products.uploadProductPicture({
          params,
          query: { alt: product.name },
          body: file,
          contentType: file.type as `image/${string}`,
        });
    });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    add(event.dataTransfer.files);
  };
  const asBody = (images: Product['images']) => ({ images: images.map(({ url, alt }) => ({ url, alt })) });
  const change = (images: Product['images']) =>
    act(t.catalog.pictures, () => api.products.changeProduct({ params, body: asBody(images) }, { of: product }));
  const moved = (at: number, by: number) => {
    const images = [...product.images];
    images.splice(at + by, 0, ...images.splice(at, 1));
    return images;
  };
  return (
    <Card title={t.catalog.pictures}>
      <Stack>
        <ul className={css.pictures}>
          {product.images.map((image, at) => (
            <li key={image.url}>
              <Thumb images={[image]} />
              <span className={css.alt}>{image.alt || t.catalog.noAlt}</span>
              {may && (
                <Row>
                  <Button
                    tone="quiet"
                    icon="up"
                    label={t.catalog.earlier}
                    disabled={at === 0}
                    onClick={() => void change(moved(at, -1))}
                  />
                  <Button
                    tone="quiet"
                    icon="down"
                    label={t.catalog.later}
                    disabled={at === product.images.length - 1}
                    onClick={() => void change(moved(at, 1))}
                  />
                  <Action
                    title={t.catalog.alt}
                    verb={t.save}
                    initial={{ alt: image.alt }}
                    fields={({ values, set }) => (
                      <TextField
                        label={t.catalog.alt}
                        hint={t.catalog.altHint}
                        value={values.alt}
                        onChange={(alt) => set('alt', alt)}
                      />
                    )}
                    run={({ alt }) =>
                      api.products.changeProduct(
                        {
                          params,
                          body: asBody(product.images.map((one, index) => (index === at ? { ...one, alt } : one))),
                        },
                        { of: product },
                      )
                    }
                  />
                  <Action
                    title={t.catalog.removePicture}
                    tone="danger"
                    trigger={<Button tone="quiet" icon="close" label={t.catalog.removePicture} />}
                    initial={{}}
                    fields={() => <Thumb images={[image]} />}
                    run={() =>
                      api.products.changeProduct(
                        { params, body: asBody(product.images.filter((_, index) => index !== at)) },
                        { of: product },
                      )
                    }
                  />
                </Row>
              )}
            </li>
          ))}
        </ul>
        {may && (
          <label
            className={css.drop}
            data-over={isOver ? '' : undefined}
            onDragOver={(event) => (event.preventDefault(), setIsOver(true))}
            onDragLeave={() => setIsOver(false)}
            onDrop={drop}
          >
            {t.catalog.dropPictures}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp,image/avif"
              multiple
              onChange={(event) => add(event.target.files)}
            />
          </label>
        )}
      </Stack>
    </Card>
  );
}
