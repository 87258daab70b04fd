export { dataRequests, userDataCollections } from './data-requests.ts';
export { unlessErased } from './unless-erased.ts';
export { openUserData, type DataSubject, type PersonalData, type UserData } from './user-data.ts';
