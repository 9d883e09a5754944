import { ruleRoutes } from '#shared/api/rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiQuery } from './api.ts'

/** The reading of all accounts' rules, and how they stand. */
export const rulesQuery = apiQuery(ruleRoutes.rules)

/** The same on a screen that shows where accounts stand now: balances move without any event, and lines that just came up may tell the broker's own limits. */
export const standingsQuery = queryOptions({ ...rulesQuery, staleTime: 0, refetchInterval: 10_000 })

/** The reading of the firms' public rules; they change with the program only. */
export const presetsQuery = queryOptions({ ...apiQuery(ruleRoutes.rulePresets), staleTime: Infinity })

/** The reading of the newest alerts, and of where they are shown. */
export const alertsQuery = apiQuery(ruleRoutes.alerts, { query: {} })
