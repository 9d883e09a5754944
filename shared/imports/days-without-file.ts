import type { AccountKey } from '#shared/fills/fill.ts'
import { hasSession } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { ImportedFill, ImportWarning } from './assembly.ts'

// Of a longer time without a file the first days are enough to see.
const daysNamed = 10

/** Rithmic exports one day per file and no position: a day that is missing between two others shows nowhere else. */
export const daysWithoutFile = (fills: readonly ImportedFill[], names: ReadonlyMap<AccountKey, string>): readonly Extract<ImportWarning, { code: 'days-without-file' }>[] => {
  const orders = fills.filter(({ orderId }) => orderId?.startsWith('rithmic-') === true)
  return [...Map.groupBy(orders, ({ account }) => account)].flatMap(([account, own]) => {
    const traded = new Set(own.map(({ time }) => dayOfDate(tradingDay(time))))
    const [first, last] = [Math.min(...traded), Math.max(...traded)]
    const missing = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((day) => !traded.has(day)).map(isoDate).filter(hasSession)
    return missing.length === 0 ? [] : [{ code: 'days-without-file', account: names.get(account) ?? account, days: missing.slice(0, daysNamed), of: missing.length }]
  })
}
