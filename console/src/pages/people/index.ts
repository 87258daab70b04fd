export { People } from './people.tsx';
export { Person } from './person.tsx';
export { Staff } from './staff.tsx';
export { ApiTokens } from './api-tokens.tsx';
