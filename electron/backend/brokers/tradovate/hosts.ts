import type { ApiHosts } from '#shared/sync/api-hosts.ts'

/** The two sides of the broker: real-money accounts and simulated ones (evaluations are simulated). */
export type Environment = 'live' | 'demo'

/** Both sides, in the order in which they are asked. */
export const environments: readonly Environment[] = ['demo', 'live']

/** Where the broker is. Bases are URLs without a slash at the end. */
export type TradovateHosts = {
  /** The consent page. */
  readonly authorize: string
  /** The token endpoint, and the form of it that is tried where the first is no path. */
  readonly token: readonly [bare: string, versioned: string]
  readonly live: string
  readonly demo: string
  /** The reporting service of each side, which nobody documents; a side without one is not asked. */
  readonly reports?: Readonly<Partial<Record<Environment, string>>>
  /** Where prices are told, of both sides; without it nobody is asked for prices. */
  readonly quotes?: string
  /** Where those of the simulated side are told, once the broker has named a host for either side: until then it is the same. */
  readonly quotesDemo?: string
}

/** The real broker. */
export const productionHosts: TradovateHosts = {
  authorize: 'https://trader.tradovate.com/oauth',
  token: ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken'],
  live: 'https://live.tradovateapi.com/v1',
  demo: 'https://demo.tradovateapi.com/v1',
  reports: { live: 'https://rpt-live.tradovateapi.com/v1', demo: 'https://rpt-demo.tradovateapi.com/v1' },
  quotes: 'https://md.tradovateapi.com/v1',
}

/** The socket of a side whose API is at this base: `https://demo.tradovateapi.com/v1` has `wss://demo.tradovateapi.com/v1/websocket`. */
export const socketUrl = (base: string): string => `${base.replace(/^http/, 'ws')}/websocket`

/** What a host is for, by the broker's own names. */
export type HostName = Exclude<keyof ApiHosts, 'replay'>

/** The base of this host, if there is one; prices of the simulated side are told with the others until a host of either is named. */
export const baseAt = ({ live, demo, reports, quotes, quotesDemo = quotes }: TradovateHosts, name: HostName): string | undefined =>
  ({ live, demo, reportingLive: reports?.live, reportingDemo: reports?.demo, mdLive: quotes, mdDemo: quotesDemo })[name]

const moved = (base: string, host: string | undefined): string => {
  if (host === undefined) return base
  const { protocol, pathname } = new URL(base)
  return `${protocol}//${host}${pathname}`
}

/** These hosts with an organization's own in their place, `{ demo: 'demo-7.tradovateapi.com' }`; what is not named stays, and none is derived from another. */
export const withApiHosts = (hosts: TradovateHosts, named: ApiHosts): TradovateHosts => ({
  ...hosts,
  live: moved(hosts.live, named.live),
  demo: moved(hosts.demo, named.demo),
  ...(hosts.reports === undefined ? {} : { reports: movedReports(hosts.reports, named) }),
  ...(hosts.quotes === undefined ? {} : { quotes: moved(hosts.quotes, named.mdLive), ...(named.mdLive === undefined && named.mdDemo === undefined ? {} : { quotesDemo: moved(hosts.quotesDemo ?? hosts.quotes, named.mdDemo) }) }),
})

const movedReports = ({ live, demo }: NonNullable<TradovateHosts['reports']>, named: ApiHosts): NonNullable<TradovateHosts['reports']> => ({
  ...(live === undefined ? {} : { live: moved(live, named.reportingLive) }),
  ...(demo === undefined ? {} : { demo: moved(demo, named.reportingDemo) }),
})
