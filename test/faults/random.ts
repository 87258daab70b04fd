export { randomOf, type Random } from '../../stack/src/history/random.ts';
