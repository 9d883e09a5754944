import { expect, test } from 'vitest'
import { account, fill, monday, openStore, other, take, user } from '#tests/helpers/store.ts'

test('every word of a text is looked for in the notes of fill pairs and days, in either case', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750, { account: other }), fill(4, 'sell', 1, 6751, { account: other }))
  const [first, second] = [`${account}/1/2`, `${other}/3/4`]
  const note = (id: string, notes: string) => store.write.updateTrade({ ...user, at: monday, id, updates: { notes } })
  note(first, 'Ängstlich gewesen: the  OPENING\ndrive was missed')
  note(second, `${'x '.repeat(60)}the opening was fine ${'y '.repeat(60)}`)
  store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-05', notes: 'Slow opening, waited. 100% sure.' })
  store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-06', notes: '', tags: ['opening'] })
  const found = (text: string) => {
    const { pairs, days } = store.read.findNotes({ ...user, text })
    return [pairs.map(({ id }) => id), days.map(({ tradingDay }) => tradingDay)]
  }
  expect(found('opening')).toEqual([[second, first], ['2026-01-05']])
  expect(found(' opening  DRIVE ')).toEqual([[first], []])
  expect(found('ÄNGST')).toEqual([[first], []])
  expect(found('100%')).toEqual([[], ['2026-01-05']])
  expect([found('   '), found('nothing of it')]).toEqual([[[], []], [[], []]])
  const { pairs, days } = store.read.findNotes({ ...user, text: 'opening' })
  expect(pairs.map(({ excerpt }) => excerpt)).toEqual([expect.stringMatching(/^…(x )+the opening was fine [y ]+…$/), 'Ängstlich gewesen: the OPENING drive was missed'])
  expect(pairs[1]).toMatchObject({ symbol: 'MESM6', side: 'long', tradeId: `${account}/1`, netPnl: '3.10', currency: 'USD' })
  expect(days).toEqual([{ tradingDay: '2026-01-05', excerpt: 'Slow opening, waited. 100% sure.' }])
  // What was removed is not found.
  store.write.removeTrade({ ...user, at: monday, id: first })
  store.write.removeAccount({ ...user, at: monday, account: other })
  expect(found('opening')).toEqual([[], ['2026-01-05']])
})
