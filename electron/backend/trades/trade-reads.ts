import { filterChoices } from './filter-choices.ts'
import { netOfDay } from './net-of-day.ts'
import { statisticsJson } from './statistics.ts'
import { totals } from './totals.ts'
import { tradesCsv } from './trades-csv.ts'
import { trade, tradePage, tradesJson, tripPairs } from './queries.ts'
import { tripPage } from './trips.ts'

/** What can be asked of pairs and trips: single ones, pages, and what they come to. */
export const tradeReads = { trade, tradePage, tradesJson, tripPage, tripPairs, totals, netOfDay, statisticsJson, filterChoices, tradesCsv }
