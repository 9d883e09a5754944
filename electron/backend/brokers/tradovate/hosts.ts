import type { Environment } from '#shared/sync/plan.ts'
import type { ApiHosts } from '#shared/sync/api-hosts.ts'

/** Both sides, in request order. */
export const environments: readonly Environment[] = ['demo', 'live']

/** The broker's hosts. Bases are URLs without a trailing slash. */
export type TradovateHosts = {
  /** The consent page. */
  readonly authorize: string
  /** The token endpoint, and its alternative if the first does not exist. */
  readonly token: readonly [bare: string, versioned: string]
  readonly live: string
  readonly demo: string
  /** The undocumented reporting service of each side; a side without one is skipped. */
  readonly reports?: Readonly<Partial<Record<Environment, string>>>
  /** The quotes host of both sides; without it no prices are requested. */
  readonly quotes?: string
  /** The simulated side's quotes host, once the broker named one for either side; until then the same. */
  readonly quotesDemo?: string
}

/** The socket of a side whose API is at this base: `https://demo.tradovateapi.com/v1` has `wss://demo.tradovateapi.com/v1/websocket`. */
export const socketUrl = (base: string): string => `${base.replace(/^http/, 'ws')}/websocket`

/** A host's purpose, by the broker's names. */
export type HostName = Exclude<keyof ApiHosts, 'replay'>

/** This purpose's base, if any; both sides share a quotes host until the broker names one of either. */
export const baseAt = ({ live, demo, reports, quotes, quotesDemo = quotes }: TradovateHosts, name: HostName): string | undefined =>
  ({ live, demo, reportingLive: reports?.live, reportingDemo: reports?.demo, mdLive: quotes, mdDemo: quotesDemo })[name]

const moved = (base: string, host: string | undefined): string => {
  if (host === undefined) return base
  const { protocol, pathname } = new URL(base)
  return `${protocol}//${host}${pathname}`
}

/** These hosts with an organization's own in their place, `{ demo: 'demo-7.tradovateapi.com' }`; the others stay, and none is derived from another. */
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
