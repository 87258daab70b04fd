declare module 'virtual:operations' {
  export const operations: Readonly<Record<string, import('./api/operation-info.ts').OperationInfo>>;
}
