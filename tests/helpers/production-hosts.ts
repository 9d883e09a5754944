import type { TradovateHosts } from '#backend/brokers/tradovate/hosts.ts'

/** The real broker. */
export const productionHosts: TradovateHosts = {
  authorize: 'https://trader.tradovate.com/oauth',
  token: ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken'],
  live: 'https://live.tradovateapi.com/v1',
  demo: 'https://demo.tradovateapi.com/v1',
  reports: { live: 'https://rpt-live.tradovateapi.com/v1', demo: 'https://rpt-demo.tradovateapi.com/v1' },
  quotes: 'https://md.tradovateapi.com/v1',
}
