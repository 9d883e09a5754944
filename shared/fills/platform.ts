/** The platforms whose accounts Fillbook connects, by the broker of a login, which is the first part of its accounts' keys. */
const platforms: ReadonlyMap<string, string> = new Map([['tradovate', 'Tradovate'], ['topstepx', 'TopstepX'], ['ninjatrader', 'NinjaTrader']])

/** The platform of a login's broker, as screens name it. */
export const platformOfBroker = (broker: string): string => platforms.get(broker) ?? 'Tradovate'

/** The platform of an account by its key; accounts that only files know are Tradovate's. */
export const platformOf = (account: string): string => platformOfBroker(account.slice(0, account.indexOf(':')))

/** Whether this platform's accounts are connected by a login. */
export const isConnectedPlatform = (platform: string): boolean => [...platforms.values()].includes(platform)
