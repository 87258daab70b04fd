export { Campaigns } from './campaigns.tsx';
export { Campaign } from './campaign.tsx';
export { NewCampaign } from './new-campaign.tsx';
