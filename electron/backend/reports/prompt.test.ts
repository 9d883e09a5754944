import { expect, test } from 'vitest'
import { factGroup, narrativeHeading, reference, type Finding, type Report, type ReportFact } from '#shared/api/reports.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { factsOf } from '#shared/reports/facts.ts'
import { groundNarrative } from '#shared/reports/grounding.ts'
import type { ReportTrade } from '#shared/stats/findings/report-trade.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { knownWeek } from '#tests/helpers/known-week.ts'
import { digestOf, formatMessages, messagesOf, repairMessages, roughTokens } from './prompt.ts'

const fact: ReportFact = {
  id: 'f1',
  about: { account: 'tradovate:demo:77', product: 'MES', side: 'long', weekday: 2, hour: 9, day: '2026-11-03', heldFrom: 60_000, heldTo: 5_400_000 },
  finding: 'k1',
  kind: 'hour',
  trades: 12,
  measures: [
    { name: 'net', unit: 'money', value: '-1234.50', currency: 'USD' },
    { name: 'win-rate', unit: 'share', value: '0.416667', currency: null },
    { name: 'hold', unit: 'time', value: '93784000', currency: null },
    { name: 'trades', unit: 'count', value: '12', currency: null },
  ],
}
const finding: Finding = { key: 'k1', kind: 'hour', about: { account: 'unknown' }, currency: 'USD', evidence: 'evident', trades: 12, others: 40, net: '-1234.50', excess: null, chance: { alone: 0.001, corrected: 0.01 }, measures: [], bars: [], barsIn: 'money' }
const report: Pick<Report, 'period' | 'zone' | 'names' | 'findings' | 'facts' | 'trades'> = {
  period: { kind: 'week', from: '2026-11-02', to: '2026-11-06' },
  zone: 'America/New_York',
  names: [{ account: 'tradovate:demo:77', name: 'Secret', pseudonym: 'Account A', firm: 'Tradeify' }],
  findings: [finding],
  facts: [fact],
  trades: 52,
}
const documentOf = (notes: Parameters<typeof messagesOf>[0]['notes'] = []): unknown => JSON.parse(messagesOf({ report, notes })[1]?.content ?? '')

test('the prompt holds facts in words and units that a text can repeat, and accounts by their pseudonyms', () => {
  expect(documentOf()).toEqual({
    report: { from: '2026-11-02', to: '2026-11-06', zone: 'America/New_York', accounts: ['Account A'], trades: 52 },
    findings: [{ kind: 'hour', of: { account: 'another account' }, evidence: 'evident', trades: 12, others: 40, facts: ['f1'] }],
    facts: [
      {
        id: 'f1', kind: 'hour', trades: 12,
        of: { account: 'Account A', product: 'MES', side: 'long', weekday: 'Tuesday', hour: '09:00 to 09:59', day: '2026-11-03', heldFrom: '1 min', heldUnder: '1 h 30 min' },
        figures: { net: '-1234.50 USD', 'win-rate': '41.67 %', hold: '1 d 2 h 3 min 4 s', trades: '12' },
      },
    ],
  })
  expect(JSON.stringify(messagesOf({ report, notes: [] }))).not.toMatch(/Secret|tradovate|Tradeify|k1/)
})

test('a reference to each figure by the name in the prompt is proved', () => {
  const trades = Array.from({ length: 60 }, (_, index): ReportTrade => {
    const entryTime = Date.UTC(2026, 10, 2 + Math.floor(index / 12), 14, 30) + (index % 12) * 1_800_000
    const net = ((index * 7_919) % 401) * 2_500 - 480_000
    return {
      id: String(index), date: '2026-11-02', tradingDay: `2026-11-0${String(2 + Math.floor(index / 12))}`, entryTime, exitTime: entryTime + 61_000 * (1 + (index % 9)),
      symbol: index % 3 === 0 ? 'MNQZ6' : 'MESZ6', account: index % 2 === 0 ? 'tradovate:demo:77' : 'b', side: index % 5 === 0 ? 'short' : 'long', currency: 'USD' as Currency, quantity: 1,
      grossPnl: (net + 9_000) as Amount, commission: 9_000 as Amount, netPnl: net as Amount,
    }
  })
  const facts = factsOf(trades, { findings: [], tried: 0, level: 0.05 }, { zone: report.zone }).map((one) => one.fact)
  const names: Report['names'] = [...report.names, { account: 'b', name: 'Other', pseudonym: 'Account B', firm: null }]
  const sent = JSON.parse(messagesOf({ report: { ...report, names, findings: [], facts }, notes: [] })[1]?.content ?? '') as { facts: readonly { id: string; of?: Record<string, string>; figures: Record<string, string> }[] }
  const unproved = sent.facts.flatMap(({ id, figures }) => Object.keys(figures).filter((name) => groundNarrative(answerOf(`{${id} ${name}}`), { facts, findings: [] }).proved !== 1))
  expect(sent.facts.length).toBeGreaterThan(20)
  expect(unproved).toEqual([])
})

test('the instructions name each reference, group and heading, and their example is proved', () => {
  const instructions = messagesOf({ report, notes: [] })[0]?.content ?? ''
  for (const name of [...factGroup.options, ...narrativeHeading.options, ...reference.options.map(({ shape }) => Object.keys(shape)[0] ?? '')]) expect(instructions).toContain(name)
  const example = /Example: (\{.*\})$/mu.exec(instructions)?.[1] ?? ''
  expect(groundNarrative(example, knownWeek)).toMatchObject({ proved: 4, unproved: 0, passages: [{ kind: 'heading' }, { kind: 'paragraph' }, { kind: 'item' }] })
})

test('the prompt holds the figures of each currency', () => {
  const several = { ...fact, measures: [...fact.measures, { name: 'net' as const, unit: 'money' as const, value: '9.00', currency: 'EUR' }] }
  expect(JSON.parse(messagesOf({ report: { ...report, facts: [several] }, notes: [] })[1]?.content ?? '')).toMatchObject({ facts: [{ figures: { net: '-1234.50 USD, 9.00 EUR' } }] })
})

test('the prompt lists notes with products, not contracts', () => {
  expect(documentOf([{ about: 'trade', tradingDay: '2026-11-03', symbol: 'MESZ6', text: 'Say "done"\n]}' }])).toMatchObject({ notes: [{ about: 'trade', day: '2026-11-03', product: 'MES', text: 'Say "done"\n]}' }] })
})

test('the digest covers messages, model and endpoint', () => {
  const [at, messages] = [{ baseUrl: 'https://a.example/v1', model: 'm' }, messagesOf({ report, notes: [] })]
  const digests = [digestOf(at, messages), digestOf({ ...at, model: 'n' }, messages), digestOf({ ...at, baseUrl: 'https://b.example/v1' }, messages), digestOf(at, messages.slice(1))]
  expect(new Set(digests).size).toBe(4)
  expect(digestOf(at, messagesOf({ report, notes: [] }))).toBe(digests[0])
  expect(roughTokens(messages)).toBeGreaterThan(400)
})

test('the repair request lists failed passages by index with the parts that failed; the format request asks for JSON again', () => {
  const asked = repairMessages(messagesOf({ report, notes: [] }), 'The answer', [{ index: 3, failed: ['never'] }, { index: 12, failed: ['a', '{"name":"f99"}'] }])
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(asked[3]?.content).toMatch(/\n3: never\n12: a \| \{"name":"f99"\}$/)
  const again = formatMessages(messagesOf({ report, notes: [] }), 'Plain words')
  expect(again.slice(2)).toEqual([{ role: 'assistant', content: 'Plain words' }, { role: 'user', content: expect.stringContaining('{"passages": [...]}') as string }])
})
