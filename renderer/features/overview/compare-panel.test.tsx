import { comparisonRoutes } from '#shared/api/comparison.ts'
import { statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { draw, type Answer } from '#tests/helpers/drawn.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ComparePanel, startingSides } from './compare-panel.tsx'

// A canvas is what this page has not; the browser tests draw it.
vi.mock('./compare-chart.tsx', () => ({ CompareChart: ({ label }: { label: string }) => <div role="img" aria-label={label} /> }))

const money = (netPnl: string, count: number) => ({ currency: 'USD', netPnl, grossPnl: netPnl, commission: '1.00', count, wins: count, losses: 0, profitFactor: null, expectancy: '2.50', averageWin: '3.00', averageLoss: null, largestWin: '3.00', largestLoss: null })
const group = (netPnl: string | null, count: number) => ({ count, wins: count, losses: 0, winRate: 1, hold: { all: 1, wins: 1, losses: null }, r: { count: 0, sum: 0, average: null }, money: netPnl === null ? [] : [money(netPnl, count)] })

const statisticsOf = (netPnl: string | null, count: number, both: readonly { key: string; count: number }[] = []): StatisticsAnswer =>
  ({
    unit: 'trades', zone: 'UTC', timedBy: 'entry', all: group(netPnl, count), bySymbol: [], byAccount: [], byTag: both.map(({ key, count: shared }) => ({ key, ...group(netPnl, shared) })),
    days: netPnl === null ? [] : [{ tradingDay: '2026-11-02', count, wins: count, losses: 0, winRate: 1, money: [money(netPnl, count)] }],
    equity: netPnl === null ? [] : [{ currency: 'USD', points: [{ tradingDay: '2026-11-02', netPnl, cumulative: netPnl }], deepest: null, deepestByTrade: null, present: null }],
  }) as unknown as StatisticsAnswer

const whole = statisticsOf('300.00', 30, [{ key: 'news', count: 20 }, { key: 'fomo', count: 12 }])
const path = (tag: string): string => `${statisticsRoutes.statistics.path}?tag=${tag}&unit=trades&timedBy=entry`
const judged = (evidence: string, difference: object | null): Answer => ({ json: { unit: 'trades', money: [{ currency: 'USD', sides: [null, { evidence, difference }] }] } })

const drawn = async (answers: Record<string, () => Answer | Promise<Answer>>) => {
  const found = await draw(<FormatContext value={createFormat('en', 'UTC')}><ComparePanel /></FormatContext>, {
    namespaces: ['compare', 'figures', 'filter', 'overview', 'statistics'],
    answers: {
      [statisticsRoutes.filterChoices.path]: () => ({ json: { accounts: [], symbols: [], tags: ['news', 'fomo'] } }),
      [reconciliationRoutes.reconciliation.path]: () => ({ status: 500, json: {} }),
      [`${comparisonRoutes.comparison.path}?unit=trades&compare=tags&with=news&with=fomo`]: () => judged('none', { value: '-1.00', low: '-5.00', high: '3.00' }),
      [path('news')]: () => ({ json: statisticsOf('200.00', 20, [{ key: 'fomo', count: 12 }]) }),
      [path('fomo')]: () => ({ json: statisticsOf('-100.00', 12, [{ key: 'news', count: 12 }]) }),
      [`${statisticsRoutes.statistics.path}?unit=trades&timedBy=entry`]: () => ({ json: whole }),
      ...answers,
    },
  })
  await found.user.click(screen.getByRole('radio', { name: 'Tags' }))
  await found.user.click(await screen.findByRole('button', { name: 'Compare news, fomo' }))
  return found
}

const rowOf = (name: RegExp): HTMLElement[] => within(screen.getByRole('row', { name })).getAllByRole('cell')

test('sides stand beside each other with differences, a verdict that claims nothing, what they share, and a way to their trades', async () => {
  await drawn({})
  await screen.findByText('12 trades are in both news and fomo. They count in each.')
  expect(rowOf(/^Net P&L/).map(({ textContent }) => textContent)).toEqual(['+200.00', '−100.00−300.00'])
  expect(screen.getByRole('link', { name: 'Show trades: fomo' }).getAttribute('href')).toBe('/dashboard/TradeLogbook?tag=fomo&unit=trades')
  expect(within(rowOf(/^Best day/)[0] ?? document.body).getByRole('link').getAttribute('href')).toBe('/dashboard/TradeLogbook?from=2026-11-02&to=2026-11-02&tag=news&unit=trades')
  const verdict = await screen.findByText('Not significant')
  expect(verdict.className).not.toMatch(/gain|loss/)
  expect(await screen.findByRole('img', { name: /A, news, ends at \+200\.00; B, fomo, ends at −100\.00/ })).toBeTruthy()
})

test.each([['evident', { value: '-9.00', low: '-12.00', high: '-2.00' }, 'Significant', /loss/], ['too-little', null, 'Not enough data', /muted/]] as const)('%s is said in its words and its color', async (evidence, difference, words, looks) => {
  await drawn({ [`${comparisonRoutes.comparison.path}?unit=trades&compare=tags&with=news&with=fomo`]: () => judged(evidence, difference) })
  expect((await screen.findByText(words)).className).toMatch(looks)
})

test('sides are judged once for each reading of their figures', async () => {
  const { asked, client } = await drawn({})
  const judgings = (): number => asked.filter(({ path: called }) => called.startsWith(comparisonRoutes.comparison.path)).length
  await screen.findByText('Not significant')
  expect(judgings()).toBe(1)
  await client.invalidateQueries({ queryKey: [statisticsRoutes.statistics.path] })
  await waitFor(() => { expect(judgings()).toBe(2) })
  expect(await screen.findByText('Not significant')).toBeTruthy()
})

test('a side that loads keeps its place, and one without trades has no figures', async () => {
  let answer: (given: Answer) => void = () => undefined
  await drawn({ [path('news')]: () => ({ json: statisticsOf('200.00', 20) }), [path('fomo')]: () => new Promise<Answer>((resolve) => { answer = resolve }) })
  await waitFor(() => { expect(rowOf(/^Net P&L/)[0]?.textContent).toBe('+200.00') })
  expect(rowOf(/^Net P&L/)[1]?.textContent).toBe('')
  answer({ json: statisticsOf(null, 0) })
  await waitFor(() => { expect(rowOf(/^Expectancy/).map(({ textContent }) => textContent)).toEqual(['+2.50', '–']) })
  expect(screen.queryByText(/in both/)).toBeNull()
})

test('where a side fails nothing is compared, and it can be tried again', async () => {
  let fails = true
  const { user } = await drawn({ [path('fomo')]: () => (fails ? { status: 500, json: { code: 'internal', error: 'internal' } } : { json: statisticsOf('-100.00', 12) }) })
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('table')).toBeNull()
  fails = false
  await user.click(again)
  await waitFor(() => { expect(rowOf(/^Net P&L/)).toHaveLength(2) })
})

test('one side asks for a second, and the last one taken away leaves the beginning', async () => {
  const { user } = await drawn({})
  await user.click(await screen.findByRole('button', { name: 'Remove fomo' }))
  expect(await screen.findByText('Add a second side to compare it with.')).toBeTruthy()
  expect(screen.queryByText(/per trade$/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove news' }))
  expect(screen.getByText('Nothing to compare yet')).toBeTruthy()
})

test('where no side has trades, a filter may be why', async () => {
  await drawn({ [path('news')]: () => ({ json: statisticsOf(null, 0) }), [path('fomo')]: () => ({ json: statisticsOf(null, 0) }) })
  expect(await screen.findByRole('button', { name: 'Clear filter' })).toBeTruthy()
})

test('a comparison begins with what was traded most under the filter, and of what it names with what was traded', () => {
  const statistics = {
    byAccount: [['one', 3], ['two', 9], ['', 99], ['idle', 0]].map(([key, count]) => ({ key, name: key, count })),
    bySymbol: ['MES', 'ES', 'NQ', 'CL', 'GC'].map((key, at) => ({ key, count: at })),
    byTag: [{ key: null, count: 40 }, { key: 'news', count: 1 }],
  } as unknown as Parameters<typeof startingSides>[2]
  const start = (kind: Parameters<typeof startingSides>[0], filter = everyTrade) => startingSides(kind, filter, statistics, '2026-01-15')
  expect(start('accounts')).toEqual(['two', 'one'])
  expect(start('products')).toEqual(['GC', 'CL', 'NQ', 'ES'])
  expect(start('tags')).toEqual([])
  expect(start('accounts', { ...everyTrade, accounts: ['idle', 'one', 'two'] })).toEqual(['two', 'one'])
  expect(start('accounts', { ...everyTrade, accounts: ['idle', 'one'] })).toEqual([])
  expect(start('products', { ...everyTrade, symbols: ['ES', 'GC', 'MNQ'] })).toEqual(['GC', 'ES'])
  expect(start('periods')).toEqual(['2026-01-01..2026-01-31', '2025-12-01..2025-12-31'])
})
