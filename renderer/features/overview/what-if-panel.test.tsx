import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { leastToBelieve, whatIfRoutes } from '#shared/api/what-if.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { WhatIfPanel } from './what-if-panel.tsx'

const part = { trades: 60, was: '100.00', would: { least: '100.00', most: '100.00' }, gain: { least: '0.00', most: '0.00' }, better: 0, worse: 0, same: 60, unclear: 0 }
const variant = { all: part, tried: part, held: part, notKnown: 0, noRisk: 0, verdict: 'too-little', tags: [] }

const drawn = () =>
  draw(<FormatContext value={createFormat('en', 'UTC')}><WhatIfPanel /></FormatContext>, {
    namespaces: ['what-if', 'filter', 'overview', 'statistics'],
    session: somebody,
    answers: {
      [priceRoutes.prices.path]: () => ({ json: { series: [{ contract: 'MNQZ6', source: 'demo', grain: 0, from: '2026-10-05T14:00:00.000Z', to: '2026-10-09T19:00:00.000Z', entries: 300, bytes: 900 }], bytes: 900, limit: { megabytes: null, days: null } } }),
      [whatIfRoutes.whatIf.path]: () => ({ json: { priced: true, currency: 'USD', trades: 60, leftOut: { addedLater: 0, otherCurrency: 0 }, heldFrom: '2026-10-07', variantsTried: 1, variants: [variant] } }),
    },
  })

test('says how many days a verdict takes as the verdict counts them', async () => {
  const { user } = await drawn()
  await user.click(await screen.findByRole('button', { name: 'Try rule' }))
  expect(leastToBelieve.days).toBe(20)
  await screen.findByText('Don’t rely on this yet. It takes 20 trades with known prices, and 20 days on which the rule changes something.')
})

test('says which numbers a field takes', async () => {
  const { user } = await drawn()
  const stop = await screen.findByRole('spinbutton', { name: 'Stop' })
  await user.clear(stop)
  await user.type(stop, '90000')
  await user.clear(screen.getByRole('textbox', { name: 'Fee per side' }))
  await user.type(screen.getByRole('textbox', { name: 'Fee per side' }), 'free{Enter}')
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['A whole number from 1 to 10,000', 'An amount, such as 1.24'])
  await user.click(screen.getByRole('radio', { name: 'R' }))
  await user.type(stop, '200{Enter}')
  screen.getByText('A number from 0.01 to 100')
})
