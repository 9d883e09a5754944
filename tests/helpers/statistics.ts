import { statistics, type StatisticsAnswer, type Unit } from '#shared/api/statistics.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { user, type TestStore } from './store.ts'

/** The statistics of a test's journal by its own zone and entries, checked against the contract; what of the filter is missing is no condition. */
export const statisticsOf = (store: TestStore, unit: Unit, conditions: Partial<TradeFilter> = {}): StatisticsAnswer =>
  statistics.parse(JSON.parse(new TextDecoder().decode(store.read.statisticsJson({ ...user, unit, zone: null, timedBy: 'entry', filter: { ...everyTrade, ...conditions } }))))
