// @module-tag slow
import { createFormat } from '#renderer/lib/format.ts'
import english from '#renderer/i18n/locales/en/ai-report.json' with { type: 'json' }
import { evidence, findingKind, measureName, narrativeFailure, type FindingKind, type MeasureName } from '#shared/api/reports.ts'
import { statedFinding, statedFindings, statedReport } from '#tests/e2e/stated/stated-reports.ts'
import fc from 'fast-check'
import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { composeDocument } from './compose-document.ts'
import { reportWords } from './report-words.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { 'ai-report': english } }, interpolation: { escapeValue: false } })
const words = reportWords(i18n.getFixedT('en', 'ai-report'), createFormat('en', 'UTC'), statedReport().names)
const measured = (name: MeasureName, value: string, unit: 'money' | 'share' = 'money') => ({ name, unit, value, currency: unit === 'money' ? 'USD' : null })
const excursions = statedFinding('excursions', { excess: null, measures: [measured('mae-wins', '40.00'), measured('mae-wins-most', '55.00'), measured('mfe-losses', '62.50'), measured('exit-efficiency', '0.6120', 'share'), measured('exit-efficiency-most', '0.6300', 'share')] })
const of = (kind: FindingKind) => [...statedFindings, excursions].find((one) => one.kind === kind) ?? statedFinding(kind)

test('everything that a report can say has its words', () => {
  expect(findingKind.options.filter((kind) => !(kind in english.kind))).toEqual([])
  expect(measureName.options.filter((name) => !(name in english.measure))).toEqual([])
  expect(evidence.options.filter((one) => !(one in english.evidence))).toEqual([])
  expect(narrativeFailure.options.filter((one) => !(one in english.failure))).toEqual([])
})

test.each<[FindingKind, title: string, sentence: string]>([
  ['hour', '11:00 to 12:00', 'Trades entered from 11:00 to 12:00 made $2,354.80 less than the same number at other hours.'],
  ['weekday', 'Tuesday', 'Trades entered on a Tuesday made $860.45 more than the same number on other days.'],
  ['hold', 'Held 1m to 5m', 'Trades held 1m to 5m made $402.00 more than the same number with another hold time.'],
  ['revenge', 'Soon after a loss', 'Trades entered soon after a loss made $1,702.15 less than the same number entered later after one.'],
  ['size-after-loss', 'Size after a loss', 'After a loss your size was 1.42 times your usual size, after a win 0.99 times, on a day’s first trade or after break-even 0.95 times. Trades after a loss made $310.00 less than the same number of others.'],
  ['giving-back', 'Giving back profits', 'After the day’s peak you gave back $2,210.00 over 20 account days that had a profit: 43.1% of what those days had made. That is $640.00 more than the same trades give back in a random order.'],
  ['streak', 'Winning and losing streaks', 'The longest losing streak of a single account was 7 trades, the longest winning streak 9.'],
  ['early-exit', 'Early exits', 'Your median hold time was 3m 4s for wins and 6m 52s for losses. Your avg win was $61.20, your avg loss $74.90. 64 of 212 wins were early exits, held shorter than the median of your losses.'],
  ['excursions', 'Excursions', 'The median MAE of your wins was $40.00 to $55.00, the median MFE of your losses $62.50. Your exit efficiency was 61.2% to 63.0% on average.'],
  ['cost-share', 'Cost share', 'Commissions & fees took 22.0% of gross P&L: $823.81 of $3,742.25.'],
  ['account-consistency', 'PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01', 'PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01 made $140.10 less than your other accounts on the same decisions.'],
  ['rule-breach', 'Days with a rule breach', 'Net P&L of these 6 trades: −$212.40. Accounts without rules, or without a breach in this period, are left out.'],
])('%s has a sentence', (kind, title, sentence) => {
  expect([words.title(of(kind)), words.sentence(of(kind))]).toEqual([title, sentence])
})

test('each kind has a sentence for either direction and any missing figure', () => {
  for (const kind of findingKind.options) {
    const excess = of(kind).excess ?? { value: '12.00', low: '1.00', high: '20.00' }
    const turned = { ...excess, value: excess.value.startsWith('-') ? excess.value.slice(1) : `-${excess.value}` }
    for (const finding of [of(kind), { ...of(kind), excess: turned }, { ...of(kind), excess: null }, { ...of(kind), measures: [] }, statedFinding(kind, { excess: null, measures: [], chance: null, trades: 1 })]) {
      for (const text of [words.sentence(finding), words.title(finding), words.evidence(finding, 63), words.against(finding)]) expect(text, kind).toMatch(/^(?!.*\{\{)(?!.*undefined)(?!.*NaN)\S.*[^.]\.?$/)
      expect(words.sentence(finding), kind).not.toMatch(/^(more|less|says)\./)
    }
  }
})

test('the sign of a figure is said by a word or by its sign, never lost', () => {
  const hour = of('hour')
  expect(words.sentence({ ...hour, excess: { value: '2354.80', low: '1.00', high: '3000.00' } })).toContain('$2,354.80 more than')
  expect(words.signedMoney('-0.01', 'EUR')).toBe('−€0.01')
  expect(words.signedMoney('0.01', 'EUR')).toBe('+€0.01')
  expect(words.sentence(statedFinding('cost-share', { measures: [{ name: 'gross', unit: 'money', value: '-310.00', currency: 'USD' }, { name: 'commission', unit: 'money', value: '-90.00', currency: 'USD' }] }))).toContain('Commissions & fees took $90.00; gross P&L was −$310.00.')
})

test('how sure it is, in words', () => {
  const say = (kind: FindingKind, tried = 63): string => words.evidence(of(kind), tried)
  expect(say('hour')).toBe('as large by chance in one of 410 cases, after 63 tests')
  expect(say('hour', 1)).toBe('as large by chance in one of 410 cases, after 1 test')
  expect(say('weekday')).toBe('as large by chance in 61% of cases, after 63 tests; it stands out only if the other tests are ignored')
  expect(say('hold')).toBe('as large by chance in nearly all cases, after 63 tests')
  expect(say('rule-breach')).toBe('6 trades; a test needs 20 on each side, over 10 days')
  expect(words.evidence(statedFinding('streak', { chance: null }), 63)).toBe('a plain figure: no test can tell it from chance')
})

test('an answer of 404 names both that may be wrong, and a narrative that Fillbook left half is no mystery of the log', () => {
  expect(english.failure['model-unknown']).toMatch(/model.*address.*\/v1/)
  expect(english.failure['program-ended']).not.toMatch(/wrong|log/)
})

test('interval and verdict agree in every sentence, whatever a report of before says', () => {
  const cents = fc.integer({ min: -300_000, max: 300_000 })
  const signOf = (text: string): number => (text.startsWith('−') ? -1 : text.startsWith('+') ? 1 : 0)
  fc.assert(
    fc.property(fc.constantFrom(...evidence.options), fc.constantFrom(...findingKind.options), fc.tuple(cents, cents, cents), (sure, kind, drawn) => {
      const [low = '', value = '', high = ''] = drawn.toSorted((one, other) => one - other).map((one) => (one / 100).toFixed(2))
      const finding = statedFinding(kind, { evidence: sure, excess: { value, low, high } })
      const report = statedReport({ findings: [finding] })
      const text = composeDocument(report, words, i18n.getFixedT('en', 'ai-report'), createFormat('en', 'UTC')).blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join(' ')
      const interval = /95% interval of this difference, after 63 tests: ([+−]?\$[\d,.]+) to ([+−]?\$[\d,.]+)\. /.exec(text)
      const verdict = english.evidence[sure]
      if (sure === 'too-little') {
        expect(interval).toBeNull()
        return
      }
      expect(text).toContain(verdict)
      expect(text).not.toMatch(/by chance (alone|on its own)/)
      if (interval === null) expect([sure, Number(low) <= 0 && Number(high) >= 0]).toEqual(['evident', true])
      else expect(signOf(interval[1] ?? '') * signOf(interval[2] ?? '') === 1, `${interval[0]} ${verdict}`).toBe(verdict === 'Significant')
    }),
  )
})

test('the chance is the one after all tests, as the interval is', () => {
  for (const sure of ['evident', 'possible', 'none'] as const) expect(words.evidence(statedFinding('side', { evidence: sure, chance: { alone: 0.01, corrected: 0.34 } }), 63)).toMatch(/^as large by chance in 34% of cases, after 63 tests/)
})

test('streaks of all accounts together are named apart from those of one account', () => {
  expect([words.measure('longest-wins', 'total'), words.measure('longest-losses', 'streak'), words.measure('longest-wins')]).toEqual(['Longest win streak across accounts', 'Longest loss streak of one account', 'Longest win streak'])
  expect([words.measure('hold', 'total'), words.measure('hold', 'early-exit')]).toEqual(['Avg hold time', 'Median hold time'])
  const single = reportWords(i18n.getFixedT('en', 'ai-report'), createFormat('en', 'UTC'), statedReport().names.slice(0, 1))
  expect(single.measure('longest-wins', 'total')).toBe('Longest win streak')
})

test('gains and losses have their sign, and fees are what was paid', () => {
  expect([words.value(measured('net', '610.10')), words.value(measured('average-loss', '-74.90')), words.value(measured('commission', '-823.81')), words.value(measured('commission', '0.00')), words.value(measured('drawdown', '-812.40'))]).toEqual(['+$610.10', '−$74.90', '$823.81', '$0.00', '−$812.40'])
})

test('a report says how many of its account days are reconciled with the broker', () => {
  expect(words.reconciled({ reconciled: { days: 52, daysEqual: 40, daysDiffer: 2, daysUnchecked: 10 } })).toBe('52 account days: 40 reconciled with the broker, 2 with a difference, 10 not checked.')
  expect(words.reconciled({})).toContain('Create it again')
})

test('each chart names its unit', () => {
  expect(findingKind.options.map((kind) => [kind, words.chartTitle({ kind, currency: 'EUR' })]).filter(([, title = '']) => !/in EUR|trades|time|days|multiple/.test(title))).toEqual([])
})

test('a probability is never shown smaller than it is', () => {
  expect([0.00001, 0.0001, 0.0024, 0.0096, 0.05, 0.19, 0.2, 0.21, 1].map(words.chance)).toEqual(['in fewer than one of 10,000 cases', 'in one of 10,000 cases', 'in one of 410 cases', 'in one of 100 cases', 'in one of 20 cases', 'in one of 5 cases', 'in one of 5 cases', 'in 21% of cases', 'in nearly all cases'])
})

test('bars are named short below the chart and whole in its table', () => {
  const names = (kind: FindingKind, long: boolean): string[] => of(kind).bars.map((_, at) => words.barName(of(kind), at, long))
  expect(names('hold', false)).toEqual(['<1m', '1m+', '5m+', '15m+', '1h+', '4h+'])
  expect(names('hold', true).slice(-2)).toEqual(['held 1h to 4h', 'held 4h or longer'])
  expect(names('revenge', true)).toEqual(['under 2m after a loss', '2m to 5m after a loss', '5m to 10m after a loss', '10m to 30m after a loss', '30m to 1h after a loss', '1h or longer after a loss'])
  expect(names('hour', false)[11]).toBe('11')
  expect(names('weekday', true)[1]).toBe('Tuesday')
  expect(names('size-after-loss', true)).toEqual(['after a loss', 'first of the day or after break-even', 'after a win'])
  expect(names('giving-back', false)).toEqual(['0%+', '25%+', '50%+', '75%+', '100%'])
  expect(names('giving-back', true)).toEqual(['0% to 25%', '25% to 50%', '50% to 75%', '75% to 100%', '100%'])
  expect(names('account-consistency', true)[0]).toBe('EVAL-101')
  expect(names('cost-share', false)).toEqual(['MES', 'MNQ', 'NQ'])
})
