export { Catalog } from './catalog.tsx';
export { Product } from './product.tsx';
export { Import } from './import.tsx';
export { Categories } from './categories.tsx';
