import { dayOfDate } from '#shared/market/zone-clock.ts'

const dayLength = 86_400_000
const gridName = /NinjaTrader Grid (\d{4}-\d{2}-\d{2})/i

/** The latest possible time of a file's rows (UTC ms): now, or the end of the export day in NinjaTrader's file name. */
export const latestRow = (name: string, now: number): number => {
  const date = gridName.exec(name)?.[1]
  return date === undefined ? now : Math.min(now, (dayOfDate(date) + 1) * dayLength)
}
