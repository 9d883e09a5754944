/** The platforms whose accounts Fillbook connects, by the first part of an account's key. */
const platforms = { tradovate: 'Tradovate', topstepx: 'TopstepX' } as const

/** The platform of an account by its key, as screens name it; accounts that only files know are Tradovate's. */
export const platformOf = (account: string): string => (account.startsWith('topstepx:') ? platforms.topstepx : platforms.tradovate)

/** Whether accounts of this platform are connected by a login. */
export const isConnectedPlatform = (platform: string): boolean => Object.values(platforms).some((known) => known === platform)
