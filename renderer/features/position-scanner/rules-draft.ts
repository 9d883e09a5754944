import { ruleSet, type RuleSet } from '#shared/api/rules.ts'

/** One product, or one step of profit, with its most contracts, as typed. */
export type CapForm = { readonly of: string; readonly most: string }

/** A rule set as typed; `on` says which rules apply, the others keep what was typed. */
export type RulesForm = {
  readonly currency: string
  readonly startingBalance: string
  readonly on: Readonly<Record<RuleSwitch, boolean>>
  readonly maxLoss: { readonly amount: string; readonly trail: 'static' | 'end-of-day' | 'intraday'; readonly counts: 'realised' | 'with-open'; readonly locks: boolean; readonly locksAt: string }
  readonly dailyLoss: { readonly amount: string; readonly counts: 'realised' | 'with-open'; readonly breach: 'pause' | 'hard' }
  readonly profitTarget: string
  readonly consistency: ShareForm
  readonly minimumDays: string
  readonly winningDays: WinningForm
  readonly contracts: { readonly all: string; readonly micros: 'whole' | 'tenth'; readonly byProduct: readonly CapForm[]; readonly scaling: readonly CapForm[] }
  readonly flatBy: { readonly time: string; readonly zone: 'America/Chicago' | 'America/New_York' }
  readonly timeLimit: string
  /** An empty part does not apply. */
  readonly payout: { readonly buffer: string; readonly minimumDays: string; readonly winningDays: WinningForm; readonly consistency: ShareForm; readonly cap: string }
}

type ShareForm = { readonly percent: string; readonly of: 'total' | 'target' }
type WinningForm = { readonly days: string; readonly profit: string }

/** The rules that can be switched on and off. */
const ruleSwitches = ['maxLoss', 'dailyLoss', 'profitTarget', 'consistency', 'minimumDays', 'winningDays', 'contracts', 'flatBy', 'noHedging', 'timeLimit', 'payout'] as const
export type RuleSwitch = (typeof ruleSwitches)[number]

/** The error of a field; `path` as in the rule set: `contracts.byProduct.0.most`. */
export type RulesFault = { readonly path: string; readonly code: 'amount' | 'from-zero' | 'whole' | 'percent' | 'time' | 'product' | 'target' | 'twice' | 'nothing' }

/** An empty rule set in a currency. */
export const noRules = (currency: string): RulesForm => ({
  currency,
  startingBalance: '',
  on: { maxLoss: false, dailyLoss: false, profitTarget: false, consistency: false, minimumDays: false, winningDays: false, contracts: false, flatBy: false, noHedging: false, timeLimit: false, payout: false },
  maxLoss: { amount: '', trail: 'static', counts: 'with-open', locks: false, locksAt: '0' },
  dailyLoss: { amount: '', counts: 'with-open', breach: 'pause' },
  profitTarget: '',
  consistency: { percent: '', of: 'total' },
  minimumDays: '',
  winningDays: { days: '', profit: '' },
  contracts: { all: '', micros: 'whole', byProduct: [], scaling: [] },
  flatBy: { time: '15:10', zone: 'America/Chicago' },
  timeLimit: '',
  payout: { buffer: '', minimumDays: '', winningDays: { days: '', profit: '' }, consistency: { percent: '', of: 'total' }, cap: '' },
})

const typed = (value: number | string | null | undefined): string => (value === null || value === undefined ? '' : String(value))
const shareForm = (share: RuleSet['consistency']): ShareForm => ({ percent: typed(share?.percent), of: share?.of ?? 'total' })
const winningForm = (winning: RuleSet['winningDays']): WinningForm => ({ days: typed(winning?.days), profit: typed(winning?.profit) })

/** A rule set as form values. */
export const formOfRules = (set: RuleSet): RulesForm => {
  const empty = noRules(set.currency)
  const { maxLoss, dailyLoss, contracts, flatBy, payout } = set
  return {
    currency: set.currency,
    startingBalance: set.startingBalance,
    on: Object.fromEntries(ruleSwitches.map((rule) => [rule, rule === 'noHedging' ? set.noHedging : set[rule] !== null])) as RulesForm['on'],
    maxLoss: maxLoss === null ? empty.maxLoss : { amount: maxLoss.amount, trail: maxLoss.trail, counts: maxLoss.withOpen === true ? 'with-open' : 'realised', locks: maxLoss.locksAt !== null, locksAt: maxLoss.locksAt ?? '0' },
    dailyLoss: dailyLoss ?? empty.dailyLoss,
    profitTarget: typed(set.profitTarget),
    consistency: shareForm(set.consistency),
    minimumDays: typed(set.minimumDays),
    winningDays: winningForm(set.winningDays),
    contracts:
      contracts === null
        ? empty.contracts
        : {
            all: typed(contracts.all),
            micros: contracts.micros,
            byProduct: contracts.byProduct.map(({ product, most }) => ({ of: product, most: String(most) })),
            scaling: contracts.scaling.map(({ fromProfit, most }) => ({ of: fromProfit, most: String(most) })),
          },
    flatBy: flatBy ?? empty.flatBy,
    timeLimit: typed(set.timeLimit),
    payout: { buffer: typed(payout?.buffer), minimumDays: typed(payout?.minimumDays), winningDays: winningForm(payout?.winningDays ?? null), consistency: shareForm(payout?.consistency ?? null), cap: typed(payout?.cap) },
  }
}

// At most two decimals: no firm's amounts have more.
const amountOf = (text: string): string => {
  const bare = text.replaceAll(/[\s,$€£]/g, '')
  return /^-?\d+(\.\d{1,2})?$/.test(bare) ? bare : ''
}
const wholeOf = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN)
const emptyToNull = <T>(text: string, read: (text: string) => T): T | null => (text.trim() === '' ? null : read(text))
const winningOf = ({ days, profit }: WinningForm) => ({ days: wholeOf(days), profit: amountOf(profit) })
const shareOf = ({ percent, of }: ShareForm) => ({ percent: wholeOf(percent), of })

/** The form's values in the shape of a rule set, for the schema to validate. */
const rulesOf = (form: RulesForm) => {
  const { on, maxLoss, payout } = form
  const locks = maxLoss.locks && maxLoss.trail !== 'static'
  const counts = maxLoss.counts === 'with-open' ? { withOpen: true } : {}
  const pays = payout.winningDays.days.trim() !== '' || payout.winningDays.profit.trim() !== ''
  return {
    startingBalance: amountOf(form.startingBalance),
    currency: form.currency,
    maxLoss: on.maxLoss ? { amount: amountOf(maxLoss.amount), trail: maxLoss.trail, locksAt: locks ? amountOf(maxLoss.locksAt) : null, ...counts } : null,
    dailyLoss: on.dailyLoss ? { ...form.dailyLoss, amount: amountOf(form.dailyLoss.amount) } : null,
    profitTarget: on.profitTarget ? amountOf(form.profitTarget) : null,
    consistency: on.consistency ? shareOf(form.consistency) : null,
    minimumDays: on.minimumDays ? wholeOf(form.minimumDays) : null,
    winningDays: on.winningDays ? winningOf(form.winningDays) : null,
    contracts: on.contracts
      ? {
          all: emptyToNull(form.contracts.all, wholeOf),
          micros: form.contracts.micros,
          byProduct: form.contracts.byProduct.map(({ of, most }) => ({ product: of.trim().toUpperCase(), most: wholeOf(most) })),
          scaling: form.contracts.scaling.map(({ of, most }) => ({ fromProfit: amountOf(of), most: wholeOf(most) })).sort((one, other) => Number(one.fromProfit) - Number(other.fromProfit)),
        }
      : null,
    flatBy: on.flatBy ? { ...form.flatBy, time: form.flatBy.time.trim() } : null,
    noHedging: on.noHedging,
    timeLimit: on.timeLimit ? wholeOf(form.timeLimit) : null,
    payout: on.payout
      ? {
          buffer: emptyToNull(payout.buffer, amountOf),
          minimumDays: emptyToNull(payout.minimumDays, wholeOf),
          winningDays: pays ? winningOf(payout.winningDays) : null,
          consistency: payout.consistency.percent.trim() === '' ? null : shareOf(payout.consistency),
          cap: emptyToNull(payout.cap, amountOf),
        }
      : null,
  }
}

const codes: Readonly<Record<string, RulesFault['code']>> = { startingBalance: 'from-zero', locksAt: 'from-zero', buffer: 'from-zero', fromProfit: 'from-zero', days: 'whole', minimumDays: 'whole', timeLimit: 'whole', most: 'whole', all: 'whole', percent: 'percent', time: 'time', product: 'product' }

/** What no schema checks: rules that are on without a value, shares of a missing target, duplicate products and steps. */
const unfit = ({ on, consistency, contracts, payout }: RulesForm): RulesFault[] => {
  const faults: RulesFault[] = []
  if (on.contracts && contracts.all.trim() === '' && contracts.byProduct.length === 0 && contracts.scaling.length === 0) faults.push({ path: 'contracts.all', code: 'nothing' })
  const asked = [payout.buffer, payout.minimumDays, payout.winningDays.days, payout.winningDays.profit, payout.consistency.percent, payout.cap]
  if (on.payout && asked.every((text) => text.trim() === '')) faults.push({ path: 'payout.buffer', code: 'nothing' })
  if (on.consistency && consistency.of === 'target' && !on.profitTarget) faults.push({ path: 'consistency.percent', code: 'target' })
  if (on.payout && payout.consistency.percent.trim() !== '' && payout.consistency.of === 'target' && !on.profitTarget) faults.push({ path: 'payout.consistency.percent', code: 'target' })
  if (!on.contracts) return faults
  const seen = new Set<string>()
  for (const [list, name, key] of [['byProduct', 'product', (text: string) => text.trim().toUpperCase()], ['scaling', 'fromProfit', amountOf]] as const) {
    for (const [at, { of }] of contracts[list].entries()) {
      const mark = `${list} ${key(of)}`
      if (seen.has(mark)) faults.push({ path: `contracts.${list}.${String(at)}.${name}`, code: 'twice' })
      seen.add(mark)
    }
  }
  return faults
}

/** The typed rule set, or all of its errors by field. */
export const readRules = (form: RulesForm): { readonly set: RuleSet; readonly faults: readonly [] } | { readonly set: null; readonly faults: readonly RulesFault[] } => {
  const read = ruleSet.safeParse(rulesOf(form))
  // Parsing sorts the steps, so map their errors back to the typed rows.
  const places = form.contracts.scaling.map(({ of }, at) => ({ of: Number(amountOf(of)), at })).sort((one, other) => one.of - other.of).map(({ at }) => at)
  const faults: RulesFault[] = (read.error?.issues ?? []).map(({ path }) => {
    const place = path[1] === 'scaling' && typeof path[2] === 'number' ? [...path.slice(0, 2), places[path[2]] ?? path[2], ...path.slice(3)] : path
    return { path: place.join('.'), code: codes[String(path.at(-1))] ?? 'amount' }
  })
  // One message per field is enough.
  const all = [...faults, ...unfit(form)].filter(({ path }, at, every) => every.findIndex((known) => known.path === path) === at)
  return read.success && all.length === 0 ? { set: read.data, faults: [] } : { set: null, faults: all }
}

/** Whether two rule sets are equivalent. */
export const sameRules = (one: RuleSet, other: RuleSet): boolean => JSON.stringify(ruleSet.parse(one)) === JSON.stringify(ruleSet.parse(other))
