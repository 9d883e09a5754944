import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Today } from './today.tsx'

const statisticsOf = (day: string, unit: 'pairs' | 'trades') => `${statisticsRoutes.statistics.path}?from=${day}&to=${day}&unit=${unit}`
const group = (count: number, netPnl?: string) => ({ json: { all: { count, winRate: count === 0 ? null : 1, money: netPnl === undefined ? [] : [{ currency: 'USD', netPnl, count }] } } })

/** The strip before the first trade of today; `rows` are the trades before. What it ever showed is in `message`. */
const open = async (rows: readonly object[], days: readonly object[] = []) => {
  const today = tradingDay(Date.now())
  let message = ''
  const observer = new MutationObserver(() => { message += document.body.textContent })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  await draw(<FormatContext value={createFormat('en', 'UTC')}><Today /></FormatContext>, {
    namespaces: ['overview', 'rules', 'sync'],
    session: somebody,
    answers: {
      [statisticsOf(today, 'pairs')]: () => group(0),
      [statisticsOf(today, 'trades')]: () => group(0),
      [statisticsOf('2026-01-09', 'pairs')]: () => group(9, '-51.90'),
      [statisticsOf('2026-01-09', 'trades')]: () => group(4, '46.20'),
      [`${reconciliationRoutes.reconciliation.path}?from=2026-01-09&to=2026-01-09`]: () => ({ json: { days, all: { daysDiffer: 0, daysEqual: 0, daysUnchecked: days.length } } }),
      [`${journalRoutes.pairPage.path}?to=${today}&limit=1`]: () => ({ json: { rows, total: rows.length } }),
    },
  })
  return { message: () => message }
}

test('until the last day traded is read, the strip does not say that there are no trades', async () => {
  const { message } = await open([{ tradingDay: '2026-01-09' }])
  expect(await screen.findByRole('link', { name: /4/ })).toBeTruthy()
  expect(message()).toContain('Last traded: Fri, Jan 9')
  expect(message()).not.toContain('None yet')
})

test('the day has what was closed on it, as the broker books it, whatever a trade made that began before', async () => {
  const { message } = await open([{ tradingDay: '2026-01-09' }])
  expect(await screen.findByRole('link', { name: /51\.90/ })).toBeTruthy()
  expect(message()).not.toContain('46.20')
})

test('the P&L of the day opens the fill pairs that make it up, the count of trades opens trades', async () => {
  await open([{ tradingDay: '2026-01-09' }])
  const unitBehind = (name: RegExp) => new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'http://localhost').searchParams.get('unit')
  await screen.findByRole('link', { name: /51\.90/ })
  expect([unitBehind(/51\.90/), unitBehind(/^4 /)]).toEqual(['pairs', 'trades'])
})

test('where nothing was ever traded, it says so', async () => {
  await open([])
  expect(await screen.findByText('None yet')).toBeTruthy()
})

test.each([
  ['a session that the broker has not settled', ['not-settled', 'not-settled'], 'Not settled yet'],
  ['one of which something else is unknown, too', ['not-settled', 'no-fills'], 'Not checked yet'],
  ['one without the broker’s figures', [], 'Not checked yet'],
])('%s says so where its proof would be', async (_, reasons, text) => {
  await open([{ tradingDay: '2026-01-09' }], reasons.map((reason) => ({ state: 'unchecked', reason })))
  expect(await screen.findByText(text)).toBeTruthy()
})
