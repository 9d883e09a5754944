import { compareText } from '#shared/base/compare-text.ts'
import { nextTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate } from '#shared/market/zone-clock.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import type { DayFacts } from './day-facts.ts'

/** A deposit (above zero) or withdrawal booked by the broker: its session and time (UTC ms). */
export type Booked = { readonly tradingDay: string; readonly at: number; readonly amount: Amount }

/** A payout entered by the user, above zero, with its date, `YYYY-MM-DD`. */
export type WrittenPayout = { readonly date: string; readonly amount: Amount }

/** A session's highest net with open P&L, of a watched account. */
export type WatchedDay = { readonly tradingDay: string; readonly highest: Amount }

// A firm books a payout on request or approval; the money arrives days later.
const daysBefore = 10
const daysAfter = 3

/**
 * Entered payouts without a withdrawal, and withdrawals without a payout. A payout matches a withdrawal from ten days before its date to three days
 * after if the amounts are equal; of those left, also if the withdrawal is up to twice as much, because firms keep a share. Each withdrawal matches one
 * payout: by date the earliest that fits, which leaves as few as possible without one.
 */
const unmatched = <B extends Booked>(written: readonly WrittenPayout[], booked: readonly B[]): { readonly payouts: readonly WrittenPayout[]; readonly withdrawals: readonly B[] } => {
  const withdrawals = new Set(booked.filter(({ amount }) => amount < 0).sort((one, other) => compareText(one.tradingDay, other.tradingDay) || one.at - other.at))
  const without = (payouts: readonly WrittenPayout[], fits: (payout: number, withdrawn: number) => boolean): readonly WrittenPayout[] =>
    payouts.filter(({ date, amount }) => {
      const apart = (one: Booked): number => dayOfDate(date) - dayOfDate(one.tradingDay)
      const fitting = [...withdrawals].filter((one) => fits(amount, 0 - one.amount) && apart(one) <= daysBefore && apart(one) >= 0 - daysAfter)
      const [earliest] = fitting
      return earliest === undefined || !withdrawals.delete(earliest)
    })
  const unequal = without(written.toSorted((one, other) => compareText(one.date, other.date)), (payout, withdrawn) => payout === withdrawn)
  return { payouts: without(unequal, (payout, withdrawn) => withdrawn > payout && withdrawn <= 2 * payout), withdrawals: [...withdrawals] }
}

/** The entered payouts that the broker did not book. */
export const onlyWritten = (written: readonly WrittenPayout[], booked: readonly Booked[]): readonly WrittenPayout[] => unmatched(written, booked).payouts

/** The withdrawals that the broker booked and the user did not enter as payouts. */
export const onlyBooked = <B extends Booked>(written: readonly WrittenPayout[], booked: readonly B[]): readonly B[] => unmatched(written, booked).withdrawals

/**
 * An account's days with transfers and highs. A booking before the first trade is part of the starting balance. The broker's bookings count at their
 * time; a payout that only the user entered counts at the start of the session after its date, so that its own day closes without it. A session
 * without trades is a day if money moved or open P&L made a high.
 */
export const withTransfers = (days: readonly DayFacts[], booked: readonly Booked[], written: readonly WrittenPayout[], watched: readonly WatchedDay[]): readonly DayFacts[] => {
  const first = days[0]?.trades[0]
  const firstDay = days[0]?.tradingDay
  if (first === undefined || firstDay === undefined) return days
  const known = new Map(days.map((day) => [day.tradingDay, day]))
  const change = (day: string, more: (known: DayFacts) => Partial<DayFacts>): void => {
    const before = known.get(day) ?? { tradingDay: day, trades: [], adjustment: zero }
    known.set(day, { ...before, ...more(before) })
  }
  for (const { at, amount, tradingDay: day } of booked.toSorted((one, other) => one.at - other.at)) {
    if (at < first.entryAt || day < firstDay) continue
    change(day, ({ trades: [opening], adjustment, moves = [] }) =>
      opening === undefined || at <= opening.exitAt ? { adjustment: amountOf(adjustment + amount) } : { moves: [...moves, { at, amount }] },
    )
  }
  for (const { date, amount } of onlyWritten(written, booked)) {
    if (date >= firstDay) change(nextTradingDay(date), ({ adjustment }) => ({ adjustment: amountOf(adjustment - amount) }))
  }
  const opened = tradingDay(first.entryAt)
  for (const { tradingDay: day, highest } of watched) {
    if (known.has(day) || (highest > 0 && day >= opened)) change(day, () => ({ highest }))
  }
  return [...known.values()].sort((one, other) => compareText(one.tradingDay, other.tradingDay))
}
