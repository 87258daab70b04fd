export { dataRequestsOf, userDataCollections } from './data-requests.ts';
export { unlessErased } from './unless-erased.ts';
export { openUserData } from './user-data.ts';
export type { DataSubject, PersonalData, UserData } from './user-data.ts';
