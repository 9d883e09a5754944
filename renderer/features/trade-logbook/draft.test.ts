import { expect, test } from 'vitest'
import { toDecimalString } from '#shared/money/money.ts'
import { draftedTrade, draftOf, emptyDraft, readDraft, shownOf, type FactsDraft } from './draft.ts'
import { emptyUserDraft, readUserDraft } from './user-fields.ts'

const zone = 'America/Chicago'
const draft: FactsDraft = {
  ...emptyDraft('2026-02-13T20:41:07.000Z', zone),
  symbol: ' MESH6 ',
  qty: '3',
  entryPrice: '6052.25',
  exitPrice: '6054.75',
  entryTime: '2026-02-13T14:12:00',
}
const net = (change: Partial<FactsDraft>): string | null => {
  const { preview } = readDraft({ ...draft, ...change }, zone)
  return preview === null ? null : toDecimalString(preview.net)
}

test('a preview is price difference times quantity times multiplier, less both sides of the commission', () => {
  // 2.50 points × 3 × 5 dollars, less 3 × 2 × 0.95.
  expect(net({})).toBe('31.80')
  expect(net({ side: 'short' })).toBe('-43.20')
})

test('an entered commission wins over the table', () => {
  expect(net({ commission: '1.5' })).toBe('36.00')
  expect(net({ commission: '0' })).toBe('37.50')
})

test('an unknown contract counts price times quantity, costs nothing and says so', () => {
  const read = readDraft({ ...draft, symbol: 'QQQQH6', entryPrice: '10', exitPrice: '10.5' }, zone)
  expect(read.preview && toDecimalString(read.preview.net)).toBe('1.50')
  expect(read.trade && read.preview && shownOf(read.trade, read.preview, zone).warnings).toEqual(['unknown-contract'])
})

test('a complete draft can be saved, its times as moments', () => {
  expect(readDraft(draft, zone)).toMatchObject({
    problems: {},
    trade: { symbol: 'MESH6', side: 'long', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T20:12:00.000Z', exitTime: '2026-02-13T20:41:00.000Z' },
  })
})

test('everything that is wrong is named at once', () => {
  const wrong = { ...draft, symbol: ' ', qty: '1.5', entryPrice: '', exitPrice: 'abc', entryTime: '', commission: '-1' }
  expect(readDraft(wrong, zone)).toMatchObject({
    trade: null,
    preview: null,
    problems: { symbol: 'missing', qty: 'not-whole', entryPrice: 'missing', exitPrice: 'not-a-number', entryTime: 'no-time', commission: 'negative' },
  })
})

test('a figure with an exponent is a slip, not a price or a fee', () => {
  expect(readDraft({ ...draft, entryPrice: '6e3', exitPrice: '1E4', commission: '1e1' }, zone).problems).toEqual({ entryPrice: 'not-a-number', exitPrice: 'not-a-number', commission: 'not-a-number' })
})

test('a price between two ticks is taken as an average, and said to be one', () => {
  expect(net({ entryPrice: '6052.375' })).toBe('29.93')
  expect(readDraft({ ...draft, entryPrice: '6052.375' }, zone)).toMatchObject({ betweenTicks: ['entryPrice'], problems: {}, tickSize: '0.25' })
})

test('an exit before its entry, an endless quantity and an endless price are refused', () => {
  expect(readDraft({ ...draft, entryPrice: '1000000000000' }, zone).problems).toEqual({ entryPrice: 'too-large' })
  expect(readDraft({ ...draft, entryTime: '2026-02-13T14:50:00' }, zone).problems).toEqual({ exitTime: 'before-entry' })
  expect(readDraft({ ...draft, qty: '1000001' }, zone).problems).toEqual({ qty: 'too-large' })
})

test('a row shows local date and trading day of the exit', () => {
  const read = readDraft({ ...draft, exitTime: '2026-02-13T18:30:00' }, zone)
  const shown = read.trade && read.preview ? shownOf(read.trade, read.preview, zone) : null
  // Friday evening belongs to Monday's session, which on Presidents' Day is booked on Tuesday.
  expect(shown).toMatchObject({ date: '2026-02-13', tradingDay: '2026-02-17', netPnl: '31.80', pnl: 31.8, commission: '5.70' })
})

test('the form of a trade reads back as the same trade', () => {
  const read = readDraft(draft, zone)
  const trade = draftedTrade('t1', 'u1', read, readUserDraft(emptyUserDraft).fields, zone)
  expect(trade && readDraft(draftOf(trade, zone), zone).trade).toEqual({ ...read.trade, commission: '5.70' })
})
