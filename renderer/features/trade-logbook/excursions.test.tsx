import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { priceRoutes, type StatedExcursionsShown, type TradeExcursions } from '#shared/api/prices.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Excursions } from './excursions.tsx'

const drawn = async (excursions: TradeExcursions | null, stated: StatedExcursionsShown | null = null) =>
  draw(<FormatContext value={createFormat('en', 'UTC')}><Excursions id="t" onLeave={() => true} /></FormatContext>, {
    namespaces: ['filter', 'trade-logbook', 'trade-chart'], session: somebody, answers: { [`${priceRoutes.excursions.path}?id=t`]: () => ({ json: { excursions, stated } }) },
  })

test('a figure that bars leave open is a range, one that a gap leaves open is a lower bound, and a sure one is a single value', async () => {
  const { findByLabelText, findByRole } = await drawn({
    currency: 'USD', result: '400.00', drawdown: { least: '225.00', most: '400.00' },
    mfe: { amount: { least: '625.00', most: '800.00' }, ticks: { least: '25.0000', most: '32.0000' }, perContract: { least: '312.50', most: '400.00' }, r: { least: '1.5625', most: '2.0000' } },
    mae: { amount: { least: '250.00', most: null }, ticks: { least: '10.0000', most: null }, perContract: { least: '125.00', most: null }, r: null },
    capture: { least: '0.6400', most: '0.6400' }, entry: { least: null, most: null }, exit: null, total: null,
    toMfe: { from: 60_000, to: 120_000 }, toMae: null,
    bestExits: [{ minutes: 5, qty: 2, amount: { least: '0.00', most: '0.00' }, ticks: { least: 0, most: 0 } }, { minutes: 15, qty: 2, amount: { least: '125.00', most: '250.00' }, ticks: { least: 5, most: 10 } }, { minutes: 30, qty: 2, amount: { least: '125.00', most: null }, ticks: { least: 5, most: null } }],
  })
  const text = (await findByLabelText('Excursions')).textContent
  expect(text).toContain('MFE$625.00 to $800.001.56 R to 2.00 Rafter 1m to 2m25 to 32 ticks, $312.50 to $400.00 per contract')
  expect(text).toContain('MAEat least $250.00at least 10 ticks, at least $125.00 per contract')
  expect(text).toContain('End-trade drawdown$225.00 to $400.00')
  expect(text).toContain('Captured of MFE64.0%')
  expect(text).toContain('Entry efficiencynot known')
  expect(text).toContain('Exit efficiency–Total efficiency–')
  expect(text).toContain('Best exit afterwards$125.00 to $250.005 to 10 ticks')
  // Of the last minutes a part has no prices, and of the hour nothing.
  const after = async (minutes: string) => {
    fireEvent.click(await findByRole('radio', { name: minutes }))
    return (await findByLabelText('Excursions')).textContent
  }
  expect(await after('30 min')).toContain('Best exit afterwardsat least $125.00at least 5 ticks')
  expect(await after('60 min')).toContain('Best exit afterwardsnot known')
})

test('without prices it says so, and where they come from', async () => {
  const { findByRole, findByText } = await drawn(null)
  expect((await findByRole('link', { name: 'Import prices' })).getAttribute('href')).toBe('/dashboard/Import')
  await findByText(/No prices of this trade are stored/)
})

test('NinjaTrader’s figure is next to it, with whether it fits the prices', async () => {
  const bounds = { least: '625.00', most: '800.00' }
  const extreme = { amount: bounds, ticks: { least: '25.0000', most: '32.0000' }, perContract: bounds, r: null }
  const { findByLabelText } = await drawn(
    { currency: 'USD', result: '400.00', drawdown: bounds, mfe: extreme, mae: extreme, capture: null, entry: null, exit: null, total: null, toMfe: null, toMae: null, bestExits: [] },
    { by: 'ninjatrader', currency: 'USD', mfe: { amount: '700.00', within: true }, mae: { amount: '600.00', within: false } },
  )
  const text = (await findByLabelText('Excursions')).textContent
  expect(text).toContain('MFE by NinjaTrader$700.00within these prices')
  expect(text).toContain('MAE by NinjaTrader$600.00outside of these prices')
})

test('without prices it says what the file says, and judges nothing', async () => {
  const { findByLabelText } = await drawn(null, { by: 'file', currency: 'USD', mfe: null, mae: { amount: '25.00', within: null } })
  const text = (await findByLabelText('Excursions')).textContent
  expect(text).toContain('MAE by the file$25.00')
  expect(text).not.toMatch(/MFE by|within|outside/)
})
