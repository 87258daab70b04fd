export { System } from './system.tsx';
export { DeadLetters } from './dead-letters.tsx';
export { Audit } from './audit.tsx';
