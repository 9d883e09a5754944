// @module-tag slow
import { describe, expect, it } from 'vitest'
import { finding as findingSchema } from '#shared/api/reports.ts'
import { amountOf, parseAmount, zero, type Currency } from '#shared/money/money.ts'
import { madeTrades, type Shape } from '#tests/helpers/made-trades.ts'
import { searchFindings, type FindingsResult } from './find.ts'
import type { ReportTrade } from './report-trade.ts'

const week = 7 * 86_400_000
const shape: Shape = { days: 60, usual: 7, accounts: 2, copied: true }
const none = new Map<string, ReadonlySet<string>>()
const found = (trades: readonly ReportTrade[], breachDays: ReadonlyMap<string, ReadonlySet<string>> = none): FindingsResult => searchFindings(trades, { zone: 'UTC', breachDays })
const trades = madeTrades(11, shape, { edge: ({ hour, side }) => (hour === 11 ? -1 : side === 'long' ? 0.3 : 0) })
const breachDays = new Map([['account-1', new Set(trades.filter(({ entryTime }) => entryTime % 3 === 0).map(({ tradingDay }) => tradingDay))]])
const plain = ({ findings, ...rest }: FindingsResult) => ({ ...rest, findings: findings.map(({ finding, members }) => ({ finding, members: [...members] })) })
const units = (text: string | undefined): number => {
  const parsed = parseAmount(text ?? '')
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

describe('findings of the same journal', () => {
  const first = found(trades, breachDays)

  it('match the contract, at most 25', () => {
    for (const { finding } of first.findings) expect(findingSchema.safeParse(finding).error).toBeUndefined()
    expect(first.findings.length).toBeLessThanOrEqual(25)
    expect(new Set(first.findings.map(({ finding }) => finding.key)).size).toBe(first.findings.length)
    expect(new Set(first.findings.map(({ finding }) => finding.kind)).size).toBe(14)
    expect(first.tried).toBeGreaterThan(first.findings.length)
    expect(first.level).toBe(0.05)
    // Those that are never tested stand behind those that are.
    expect(first.findings.map(({ finding }) => Number(finding.evidence === 'untested'))).toEqual(first.findings.map((_, place) => Number(place >= first.findings.length - 6)))
    expect(first.findings.filter(({ finding }) => finding.evidence === 'untested').map(({ finding }) => finding.kind).sort()).toEqual(['cost-share', 'early-exit', 'giving-back', 'hold', 'rule-breach', 'streak'])
  })

  it('count the same account days in the figure and in the bars of giving back', () => {
    const { measures = [], bars = [] } = first.findings.find(({ finding }) => finding.kind === 'giving-back')?.finding ?? {}
    expect(bars.some(({ label, value }) => label === '0' && Number(value) > 0)).toBe(true)
    expect(measures.find(({ name }) => name === 'days')?.value).toBe(String(bars.reduce((sum, { value }) => sum + Number(value), 0)))
  })

  it('have the P&L of their trades, to the cent', () => {
    for (const { finding, members } of first.findings) {
      const behind = [...members].map((place) => trades[place])
      expect(members).toEqual(members.toSorted())
      expect(finding.trades).toBe(members.length)
      expect(units(finding.net)).toBe(behind.reduce((sum, trade) => sum + (trade?.netPnl ?? 0), 0))
      const { low = '0', value = '0', high = '0' } = finding.excess ?? {}
      expect(units(low)).toBeLessThanOrEqual(units(value))
      expect(units(value)).toBeLessThanOrEqual(units(high))
    }
  })

  it('have the excess over as many of the others', () => {
    const { finding, members } = first.findings.find((one) => one.finding.kind === 'hour') ?? first.findings[0] ?? { finding: null, members: new Uint32Array() }
    const behind = new Set(members)
    const net = (inside: boolean): number => trades.reduce((sum, trade, place) => (behind.has(place) === inside ? sum + trade.netPnl : sum), 0)
    const excess = net(true) - (net(false) * behind.size) / (trades.length - behind.size)
    expect(Math.abs(units(finding?.excess?.value) - excess)).toBeLessThanOrEqual(50)
    for (const place of members) expect(new Date(trades[place]?.entryTime ?? 0).getUTCHours()).toBe(finding?.about.hour)
  })

  it('are the same in another order', () => {
    const order = trades.map((_, place) => place).sort((one, other) => ((one * 7919) % 1009) - ((other * 7919) % 1009))
    const again = found(order.flatMap((place) => trades[place] ?? []), breachDays)
    expect(plain({ ...again, findings: again.findings.map((one) => ({ ...one, members: one.members.map((place) => order[place] ?? 0).sort() })) })).toEqual(plain(first))
  })

  it('are the same under other names', () => {
    const rename = (text: string): string => text.replaceAll('account-0', 'zebra').replaceAll('account-1', 'ape')
    const again = found(trades.map((trade, place) => ({ ...trade, id: `other${String(trades.length - place)}`, account: rename(trade.account) })), new Map([...breachDays].map(([account, days]) => [rename(account), days])))
    expect(plain(again)).toEqual(JSON.parse(rename(JSON.stringify(plain(first)))))
  })

  it('are the same a week later', () => {
    const later = (day: string): string => new Date(Date.parse(day) + week).toISOString().slice(0, 10)
    const again = found(
      trades.map((trade) => ({ ...trade, entryTime: trade.entryTime + week, exitTime: trade.exitTime + week, tradingDay: later(trade.tradingDay), date: later(trade.date) })),
      new Map([...breachDays].map(([account, days]) => [account, new Set([...days].map(later))])),
    )
    expect(plain(again)).toEqual(plain(first))
  })
})

describe('too little data is reported as such', () => {
  it('finds nothing without trades', () => expect(found([])).toEqual({ findings: [], tried: 0, level: 0.05 }))

  it.each([
    ['one trade', trades.slice(0, 1)],
    ['one day', trades.filter(({ tradingDay }) => tradingDay === trades[0]?.tradingDay)],
    ['trades that all made the same', trades.map((trade) => ({ ...trade, netPnl: amountOf(10_000), grossPnl: amountOf(20_000), commission: amountOf(10_000) }))],
    ['trades that made nothing', trades.map((trade) => ({ ...trade, netPnl: zero, grossPnl: zero, commission: zero }))],
    ['trades without a size or a time', trades.slice(0, 90).map((trade) => ({ ...trade, quantity: 0, exitTime: trade.entryTime - 1, netPnl: zero, grossPnl: zero }))],
  ])('of %s', (_name, few) => {
    const report = found(few, breachDays)
    expect(report.findings.length).toBeGreaterThan(0)
    for (const { finding } of report.findings) {
      expect(findingSchema.safeParse(finding).error).toBeUndefined()
      expect(finding, finding.key).toMatchObject({ chance: null, excess: null })
      // What is never tested is a plain figure once there is enough of it.
      expect(['too-little', ...(few.length > 20 ? ['untested'] : [])], finding.key).toContain(finding.evidence)
    }
    expect(report.tried).toBe(0)
  })

  it('rejects an unknown zone', () => expect(() => searchFindings(trades.slice(0, 1), { zone: 'Mars/Olympus', breachDays: none })).toThrow(RangeError))
})

describe('separation', () => {
  it('each currency has its own findings', () => {
    const euros = trades.map((trade) => ({ ...trade, currency: 'EUR' as Currency }))
    const both = found([...trades, ...euros])
    expect(Map.groupBy(both.findings, ({ finding }) => finding.currency).size).toBe(2)
    for (const { finding, members } of both.findings) expect([...members].every((place) => (place < trades.length ? 'USD' : 'EUR') === finding.currency)).toBe(true)
  })

  it('contracts of one product are one group', () => {
    const rolled = trades.map((trade, place) => ({ ...trade, symbol: trade.symbol.replace('M6', place % 2 === 0 ? 'M6' : 'U6') }))
    const products = found(rolled).findings.flatMap(({ finding }) => (finding.kind === 'product' ? [finding.about.product] : []))
    expect(products.length).toBeGreaterThan(0)
    for (const product of products) expect(['MES', 'MNQ', 'ES', 'CL']).toContain(product)
  })
})
