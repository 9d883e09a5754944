import { dayOfDate } from '#shared/market/zone-clock.ts'

const dayLength = 86_400_000
const gridName = /NinjaTrader Grid (\d{4}-\d{2}-\d{2})/i

/** The moment (UTC ms) that no row of a file can be later than: now, or the end of the day of its export where NinjaTrader named it by that. */
export const latestRow = (name: string, now: number): number => {
  const date = gridName.exec(name)?.[1]
  return date === undefined ? now : Math.min(now, (dayOfDate(date) + 1) * dayLength)
}
