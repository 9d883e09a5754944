/** What Fillbook can fetch prices from, in the order in which it asks. */
export const priceFeeds = ['projectx', 'databento', 'tradovate'] as const
export type PriceFeed = (typeof priceFeeds)[number]

/** What their users call them. */
export const feedNames = { projectx: 'TopstepX', databento: 'Databento', tradovate: 'Tradovate' } as const satisfies Record<PriceFeed, string>

/** What Databento is asked for: every trade, or bars of a second. */
export const vendorDetails = ['trades', 'ohlcv-1s'] as const
export type VendorDetail = (typeof vendorDetails)[number]

/** Why a feed gave no prices. Of `unknown-contract`, `not-available`, `unlike-fills`, and `unreadable` only one contract or session is meant; the others end the feed for this fetch. */
export const feedFailures = ['login-needed', 'no-permission', 'key-refused', 'payment-needed', 'rate-limited', 'unreachable', 'refused', 'over-limit', 'room-full', 'disk-full', 'unknown-contract', 'not-available', 'unlike-fills', 'unreadable'] as const
export type FeedFailure = (typeof feedFailures)[number]

/** Whether other contracts and sessions may still be asked for after this failure. */
export const isPartial = (failure: FeedFailure): boolean => failure === 'unknown-contract' || failure === 'not-available' || failure === 'unlike-fills' || failure === 'unreadable'
