import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { LogbookView } from './address.ts'
import { LogbookFooter } from './logbook-footer.tsx'

const view: LogbookView = { unit: 'pairs', filter: everyTrade, sort: 'exitTime', direction: 'desc' }

const Logbook = () => {
  const [rowsCame, setRowsCame] = useState(false)
  return (
    <FormatContext value={createFormat('en', 'UTC')}>
      <button onClick={() => { setRowsCame(true) }}>Rows come</button>
      <LogbookFooter view={view} columns={[]} rowsCame={rowsCame} />
    </FormatContext>
  )
}

test('the totals, which take longest, are requested once the first rows are there', async () => {
  const { asked, user, getByRole } = await draw(<Logbook />, { namespaces: ['figures', 'trade-logbook'], session: somebody })
  expect(asked).toEqual([])
  await user.click(getByRole('button', { name: 'Rows come' }))
  await waitFor(() => { expect(asked.map(({ path }) => path)).toEqual([`${statisticsRoutes.statistics.path}?unit=pairs`]) })
})
