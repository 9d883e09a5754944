/** What the process of `backups-child.ts` is to do, with the backup of that name, and where it dies. */
export type BackupsOrder = { readonly folder: string; readonly work: 'make' | 'restore' | 'open' | 'put-back'; readonly backup: string; readonly userId: string; readonly whole?: boolean; readonly killAt?: string }
