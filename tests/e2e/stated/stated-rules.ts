import type { AnswerOf, BodyGiven } from '#shared/api/route.ts'
import { ruleRoutes, type AccountRules, type AccountStanding, type AlertSettings, type OddsAnswer, type ReplayAnswer, type ReplayDay, type RuleAlert, type RulePreset, type RuleSet } from '#shared/api/rules.ts'
import { ruleState } from '#tests/helpers/positions-live.ts'
import type { Page, Route } from '@playwright/test'
import { copierAccounts } from './stated-copier.ts'
import { finance, state } from './stated.ts'

/** A rule set with little in it; `more` overrides the defaults. */
export const statedSet = (more: Partial<RuleSet> = {}): RuleSet => ({
  startingBalance: '50000.00', currency: 'USD', maxLoss: { amount: '2000.00', trail: 'end-of-day', locksAt: '100.00' }, dailyLoss: { amount: '1000.00', counts: 'with-open', breach: 'pause' }, profitTarget: '3000.00', consistency: null,
  minimumDays: null, winningDays: null, contracts: null, flatBy: null, noHedging: false, timeLimit: null, payout: null, ...more,
})

const source = 'https://help.example.com/rules/plans'
const preset = (id: string, firm: RulePreset['firm'], plan: string, size: string, phase: RulePreset['phase'], set: RuleSet): RulePreset => ({
  id, firm, plan, size, phase, set, leftOut: ['No trading during major news'],
  facts: [{ fact: `Maximum loss of ${plan}: $2,000, trailing at the end of the day`, source, readOn: '2026-11-22', ofFirm: true }, { fact: 'Daily loss limit $1,000, a soft breach', source: 'https://www.example.org/', readOn: '2026-11-22', ofFirm: false }],
})

/** Presets of two firms, enough to choose among. */
const statedPresets: RulePreset[] = [
  preset('mffu-core-50k', 'MyFundedFutures', 'Core', '50000.00', 'evaluation', statedSet({ contracts: { all: 5, micros: 'tenth', byProduct: [{ product: 'GC', most: 2 }], scaling: [{ fromProfit: '0.00', most: 2 }, { fromProfit: '1500.00', most: 4 }] }, flatBy: { time: '15:10', zone: 'America/Chicago' } })),
  preset('mffu-core-50k-funded', 'MyFundedFutures', 'Core', '50000.00', 'funded', statedSet({ profitTarget: null, payout: { buffer: '2100.00', minimumDays: 5, winningDays: { days: 5, profit: '100.00' }, consistency: null, cap: '5000.00' } })),
  preset('mffu-core-150k', 'MyFundedFutures', 'Core', '150000.00', 'evaluation', statedSet({ startingBalance: '150000.00', maxLoss: { amount: '4500.00', trail: 'end-of-day', locksAt: '100.00' }, profitTarget: '9000.00' })),
  preset('apex-50k', 'Apex Trader Funding', 'Full', '50000.00', 'evaluation', statedSet({ maxLoss: { amount: '2500.00', trail: 'intraday', locksAt: null }, dailyLoss: null })),
]

const key = (at: number): string => copierAccounts[at]?.id ?? ''
const rulesOf = (at: number, more: Partial<AccountRules> = {}): AccountRules => ({ account: key(at), stage: 'evaluation', stageByHand: false, set: null, presetId: null, since: null, resetDay: null, ...more })
const standing = (at: number, more: Partial<AccountStanding> = {}): AccountStanding => ({
  account: key(at), name: copierAccounts[at]?.name ?? '', firm: at < 4 ? 'MyFundedFutures' : 'Apex Trader Funding', currency: 'USD', stage: 'evaluation', passed: null, states: [ruleState('max-loss')],
  balance: '50214.61', dayNet: '142.50', dayNetOf: '2026-02-13', from: 'live', at: Date.UTC(2026, 1, 13, 20, 41), nearest: 'max-loss', ...more,
})

const whole: AccountStanding['states'] = [
  ruleState('max-loss', { limit: '48100.00', value: '48412.50', left: '312.50', used: 0.84, notes: ['open-unknown'] }),
  ruleState('daily-loss', { limit: '1000.00', value: '-687.50', left: '312.50', used: 0.69, by: 'broker' }),
  ruleState('profit-target', { state: 'open', limit: '3000.00', value: '250.00', left: '2750.00', used: 0.08 }),
  ruleState('consistency', { state: 'open', unit: 'percent', limit: '50', value: '61.25', left: '-11.25', used: 1 }),
  ruleState('minimum-days', { state: 'met', unit: 'days', limit: '5', value: '7', left: '-2', used: 1, since: { tradingDay: '2026-02-11', at: null } }),
  ruleState('winning-days', { state: 'open', unit: 'days', limit: '5', value: '4', left: '1', used: 0.8 }),
  ruleState('contracts', { unit: 'contracts', limit: '5', value: '3.4', left: '1.6', used: 0.68 }),
  ruleState('flat-by', { unit: 'minutes', limit: '0', value: '34', left: '34', used: 0.43 }),
  ruleState('hedging', { unit: 'contracts', limit: '0', value: '0', left: '0', used: 0 }),
  ruleState('time-limit', { unit: 'days', limit: '30', value: '11', left: '19', used: 0.37 }),
  ruleState('payout', { state: 'met', limit: '2100.00', value: '4300.00', left: '-2200.00', used: 1, since: { tradingDay: '2026-02-12', at: null } }),
]

/** Seven accounts in every way that rules can stand: all of them at once, near, paused, broken, passed, of the broker alone, and none. */
export const rulesReading = (): AnswerOf<typeof ruleRoutes.rules> => ({
  accounts: [
    rulesOf(0, { set: statedSet(), since: '2026-02-02' }), rulesOf(1, { set: statedSet(), presetId: 'mffu-core-50k' }), rulesOf(2, { stage: 'passed', set: statedSet() }), rulesOf(3, { stage: 'funded', stageByHand: true }),
    rulesOf(4, { stage: 'breached', set: statedSet() }), rulesOf(5, { stage: 'funded' }), rulesOf(6),
  ],
  standings: [
    standing(0, { states: whole, balance: '48412.50', dayNet: '-687.50' }),
    standing(1, { states: [ruleState('max-loss', { used: 0.55 }), ruleState('daily-loss', { state: 'paused', limit: '1000.00', value: '-1012.50', left: '-12.50', used: 1, since: { tradingDay: '2026-02-13', at: '2026-02-13T19:03:11Z' } }), ruleState('consistency', { state: 'unknown', unit: 'percent', limit: '40', value: null, left: null, used: null })], nearest: 'daily-loss' }),
    standing(2, { stage: 'passed', passed: '2026-02-12', from: 'journal', states: [ruleState('max-loss'), ruleState('profit-target', { state: 'met', limit: '3000.00', value: '3012.50', left: '-12.50', used: 1, since: { tradingDay: '2026-02-12', at: null } })] }),
    standing(3, { stage: 'funded', states: null, nearest: null }),
    standing(4, { stage: 'breached', states: [ruleState('max-loss', { state: 'breached', left: '-212.50', used: 1, since: { tradingDay: '2026-02-11', at: '2026-02-11T15:12:09Z' } })] }),
    standing(5, { stage: 'funded', states: [ruleState('daily-loss', { by: 'broker', limit: '2000.00', value: '-150.00', left: '1850.00', used: 0.08 })], nearest: 'daily-loss' }),
    standing(6, { states: null, nearest: null, balance: null, at: null, from: 'journal' }),
  ],
})

const day = (tradingDay: string, net: number, balance: number, drawdownLimit: number, low: number, more: Partial<ReplayDay> = {}): ReplayDay => ({
  tradingDay, net: net.toFixed(2), balance: balance.toFixed(2), drawdownLimit: drawdownLimit.toFixed(2), low: low.toFixed(2), high: Math.max(balance, balance - net).toFixed(2), trades: 4,
  states: [ruleState('max-loss', { limit: drawdownLimit.toFixed(2), value: balance.toFixed(2), left: (balance - drawdownLimit).toFixed(2), notes: ['history-realized'] })], ...more,
})
const broken = { tradingDay: '2026-02-06', rule: 'daily-loss', at: '2026-02-06T15:31:00Z' } as const

/** Six days, on the fifth of which the daily loss was broken for good. */
const brokenReplay: ReplayAnswer = {
  days: [
    day('2026-02-02', 420, 50_420, 48_000, 49_900), day('2026-02-03', 610.5, 51_030.5, 48_420, 50_380), day('2026-02-04', -250, 50_780.5, 49_030.5, 50_700), day('2026-02-05', 905, 51_685.5, 49_030.5, 50_780.5),
    day('2026-02-06', -1_010, 50_675.5, 49_685.5, 50_675.5, { states: [ruleState('max-loss', { left: '990.00', used: 0.5 }), ruleState('daily-loss', { state: 'breached', limit: '1000.00', value: '-1010.00', left: '-10.00', used: 1, since: { tradingDay: '2026-02-06', at: broken.at } })] }),
    day('2026-02-09', 300, 50_975.5, 49_685.5, 50_600),
  ],
  breach: broken, passed: null, outcome: 'breached',
}
const passedReplay: ReplayAnswer = { days: brokenReplay.days.map((one) => ({ ...one, drawdownLimit: '47500.00', states: [ruleState('max-loss')] })), breach: null, passed: '2026-02-05', outcome: 'passed' }

/** Odds that follow from a seed and the rules, as the program's do. */
const statedOdds = (seed: number, runs: number): OddsAnswer => {
  const passed = 0.4 + (seed % 100) / 500
  return {
    runs, seed, sample: 42, horizon: 250, passed, breached: 0.9 - passed, outOfTime: 0.1, plusMinus: 0.0096, daysToPass: { p10: 6, p50: 14, p90: 38 }, lostBy: [{ rule: 'max-loss', share: 0.8 }, { rule: 'daily-loss', share: 0.2 }],
    fan: Array.from({ length: 40 }, (_, at) => ({ day: at * 5 + 1, p10: (50_000 - at * 40).toFixed(2), p50: (50_000 + at * 55).toFixed(2), p90: (50_000 + at * 110).toFixed(2) })),
  }
}

/** An alert; `more` overrides the defaults. */
export const statedAlert = (id: number, more: Partial<RuleAlert> = {}): RuleAlert => ({
  id, at: new Date(Date.UTC(2026, 1, 13, 15, 0, id)).toISOString(), account: key(1), accountName: copierAccounts[1]?.name ?? '', rule: 'daily-loss', level: 80, unit: 'money', limit: '1000.00', value: '-812.50', left: '187.50', currency: 'USD', seen: false, ...more,
})

// What is live is of the moment in which it is read, but for the second account, whose line has been down for a while.
const told = ({ accounts, standings }: AnswerOf<typeof ruleRoutes.rules>): AnswerOf<typeof ruleRoutes.rules> => ({
  accounts, standings: standings.map((one) => (one.from === 'live' ? { ...one, at: Date.now() - (one.account === key(1) ? 12.5 * 60_000 : 0) } : one)),
})

type Kept = { readonly reading: () => AnswerOf<typeof ruleRoutes.rules>; readonly alerts: RuleAlert[]; settings: AlertSettings; readonly asked: { readonly path: string; readonly body: unknown }[] }

/** Stubs the calls of rules and alerts, and keeps what is saved; `asked` are the bodies that were sent. */
export const tellRules = async (page: Page, first = rulesReading(), alerts: RuleAlert[] = [statedAlert(3), statedAlert(2, { level: 100, left: '-4.00', rule: 'max-loss' }), statedAlert(1, { seen: true, rule: 'contracts', unit: 'contracts', value: '4', limit: '5', left: '1' })]): Promise<Kept> => {
  let reading = first
  const kept: Kept = { reading: () => reading, alerts, settings: { on: true, at: [50, 80, 95], toast: true, system: true, sound: false }, asked: [] }
  const change = (account: string, more: Partial<AccountRules>, standing: Partial<AccountStanding> = {}): AccountRules => {
    reading = { accounts: reading.accounts.map((one) => (one.account === account ? { ...one, ...more } : one)), standings: reading.standings.map((one) => (one.account === account ? { ...one, ...standing } : one)) }
    const rules = reading.accounts.find((one) => one.account === account)
    if (rules === undefined) throw new Error(`No account ${account}`)
    return rules
  }
  await state(page, { accounts: () => copierAccounts, finances: () => copierAccounts.map(({ id, name }, at) => finance(id, { name, firm: at < 4 ? 'MyFundedFutures' : 'Apex Trader Funding' })) })
  await page.route(/\/api\/rules(\/.*)?(\?.*)?$/, (route: Route) => {
    const { pathname } = new URL(route.request().url())
    const body = route.request().postDataJSON() as unknown
    if (body !== null) kept.asked.push({ path: pathname, body })
    if (pathname === ruleRoutes.rules.path && route.request().method() === 'GET') return route.fulfill({ json: told(reading) })
    switch (pathname) {
      case ruleRoutes.rulePresets.path:
        return route.fulfill({ json: { presets: statedPresets } })
      case ruleRoutes.saveRules.path: {
        const { account, set, presetId, since } = ruleRoutes.saveRules.body.parse(body)
        return route.fulfill({ json: { rules: change(account, { set, presetId, since }, set === null ? { states: null, nearest: null } : { states: whole, nearest: 'max-loss' }) } })
      }
      case ruleRoutes.tryRules.path: {
        const { account } = ruleRoutes.tryRules.body.parse(body)
        return route.fulfill({ json: { standing: reading.standings.find((one) => one.account === account) } })
      }
      case ruleRoutes.setStage.path: {
        const { account, stage } = ruleRoutes.setStage.body.parse(body)
        return route.fulfill({ json: { rules: change(account, { stage: stage ?? 'evaluation', stageByHand: stage !== null }, { stage: stage ?? 'evaluation' }) } })
      }
      case ruleRoutes.replay.path: {
        const { rules } = body as BodyGiven<typeof ruleRoutes.replay>
        return route.fulfill({ json: 'own' in rules ? brokenReplay : passedReplay })
      }
      case ruleRoutes.odds.path: {
        const { seed, runs } = ruleRoutes.odds.body.parse(body)
        return route.fulfill({ json: { odds: statedOdds(seed, runs), missing: null } })
      }
      case ruleRoutes.alerts.path:
        return route.fulfill({ json: { alerts: kept.alerts, more: false, unseen: kept.alerts.filter(({ seen }) => !seen).length, settings: kept.settings } })
      case ruleRoutes.saveAlertSettings.path:
        kept.settings = ruleRoutes.saveAlertSettings.body.parse(body)
        return route.fulfill({ json: { settings: kept.settings } })
      case ruleRoutes.alertsSeen.path:
        kept.alerts.splice(0, kept.alerts.length, ...kept.alerts.map((alert) => ({ ...alert, seen: true })))
        return route.fulfill({ json: { unseen: 0 } })
      default:
        return route.fallback()
    }
  })
  return kept
}
