import { ruleRoutes } from '#shared/api/rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiQuery } from './api.ts'

/** The query of all accounts' rules and their states. */
export const rulesQuery = apiQuery(ruleRoutes.rules)

/** The same on a screen that shows accounts live: balances move without any event, and new connections may report the broker's own limits. */
export const standingsQuery = queryOptions({ ...rulesQuery, staleTime: 0, refetchInterval: 10_000 })

/** The query of the firms' public rules; they change only with the program. */
export const presetsQuery = queryOptions({ ...apiQuery(ruleRoutes.rulePresets), staleTime: Infinity })

/** The query of the newest alerts, and of the alert settings. */
export const alertsQuery = apiQuery(ruleRoutes.alerts, { query: {} })
