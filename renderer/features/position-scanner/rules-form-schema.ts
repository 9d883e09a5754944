import { ruleSet, type RuleSet } from '#shared/api/rules.ts'
import { typedNumber, typedWhole } from '#shared/money/typed-number.ts'
import { z } from 'zod'

/** A rule set as typed, the preset that it was made from, and the day from which it counts, empty for the first; `on` says which rules apply, the others keep what was typed. */
export type TypedRules = {
  currency: string
  startingBalance: string
  on: Record<RuleSwitch, boolean>
  maxLoss: { amount: string; trail: 'static' | 'end-of-day' | 'intraday'; counts: 'realised' | 'with-open'; locks: boolean; locksAt: string }
  dailyLoss: { amount: string; counts: 'realised' | 'with-open'; breach: 'pause' | 'hard' }
  profitTarget: string
  consistency: TypedShare
  minimumDays: string
  winningDays: TypedWinning
  contracts: { all: string; micros: 'whole' | 'tenth'; byProduct: { product: string; most: string }[]; scaling: { fromProfit: string; most: string }[] }
  flatBy: { time: string; zone: 'America/Chicago' | 'America/New_York' }
  timeLimit: string
  /** An empty part does not apply. */
  payout: { buffer: string; minimumDays: string; winningDays: TypedWinning; consistency: TypedShare; cap: string }
  presetId: string | null
  since: string
}

type TypedShare = { percent: string; of: 'total' | 'target' }
type TypedWinning = { days: string; profit: string }

/** The rules that can be switched on and off. */
const ruleSwitches = ['maxLoss', 'dailyLoss', 'profitTarget', 'consistency', 'minimumDays', 'winningDays', 'contracts', 'flatBy', 'noHedging', 'timeLimit', 'payout'] as const
export type RuleSwitch = (typeof ruleSwitches)[number]

/** What is wrong with a field of the rule set. */
type RuleFault = 'amount' | 'from-zero' | 'whole' | 'percent' | 'time' | 'product' | 'target' | 'twice' | 'nothing'

const switched = (isOn: (rule: RuleSwitch) => boolean) => Object.fromEntries(ruleSwitches.map((rule) => [rule, isOn(rule)])) as TypedRules['on']

/** An empty form in a currency. */
export const emptyRules = (currency: string): TypedRules => ({
  currency,
  startingBalance: '',
  on: switched(() => false),
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
  presetId: null,
  since: '',
})

const textOf = (value: number | string | null | undefined): string => (value === null || value === undefined ? '' : String(value))
const typedShare = (share: RuleSet['consistency']): TypedShare => ({ percent: textOf(share?.percent), of: share?.of ?? 'total' })
const typedWinning = (winning: RuleSet['winningDays']): TypedWinning => ({ days: textOf(winning?.days), profit: textOf(winning?.profit) })

/** A rule set as form values. */
export const typedRules = (set: RuleSet): TypedRules => {
  const empty = emptyRules(set.currency)
  const { maxLoss, dailyLoss, contracts, flatBy, payout } = set
  return {
    ...empty,
    startingBalance: set.startingBalance,
    on: switched((rule) => (rule === 'noHedging' ? set.noHedging : set[rule] !== null)),
    maxLoss: maxLoss === null ? empty.maxLoss : { amount: maxLoss.amount, trail: maxLoss.trail, counts: maxLoss.withOpen === true ? 'with-open' : 'realised', locks: maxLoss.locksAt !== null, locksAt: maxLoss.locksAt ?? '0' },
    dailyLoss: dailyLoss ?? empty.dailyLoss,
    profitTarget: textOf(set.profitTarget),
    consistency: typedShare(set.consistency),
    minimumDays: textOf(set.minimumDays),
    winningDays: typedWinning(set.winningDays),
    contracts:
      contracts === null
        ? empty.contracts
        : {
            all: textOf(contracts.all),
            micros: contracts.micros,
            byProduct: contracts.byProduct.map(({ product, most }) => ({ product, most: String(most) })),
            scaling: contracts.scaling.map(({ fromProfit, most }) => ({ fromProfit, most: String(most) })),
          },
    flatBy: flatBy ?? empty.flatBy,
    timeLimit: textOf(set.timeLimit),
    payout: { buffer: textOf(payout?.buffer), minimumDays: textOf(payout?.minimumDays), winningDays: typedWinning(payout?.winningDays ?? null), consistency: typedShare(payout?.consistency ?? null), cap: textOf(payout?.cap) },
  }
}

// At most two decimals: no firm's amounts have more.
const amountOf = (text: string): string => {
  const bare = typedNumber(text)
  return /^-?\d+(\.\d{1,2})?$/.test(bare) ? bare : ''
}
const emptyToNull = <T>(text: string, read: (text: string) => T): T | null => (text.trim() === '' ? null : read(text))
const winningOf = ({ days, profit }: TypedWinning) => ({ days: typedWhole(days), profit: amountOf(profit) })
const shareOf = ({ percent, of }: TypedShare) => ({ percent: typedWhole(percent), of })

/** The form's values in the shape of a rule set, for the schema to validate. */
const rulesOf = (typed: TypedRules) => {
  const { on, maxLoss, payout } = typed
  const locks = maxLoss.locks && maxLoss.trail !== 'static'
  const counts = maxLoss.counts === 'with-open' ? { withOpen: true } : {}
  const pays = payout.winningDays.days.trim() !== '' || payout.winningDays.profit.trim() !== ''
  return {
    startingBalance: amountOf(typed.startingBalance),
    currency: typed.currency,
    maxLoss: on.maxLoss ? { amount: amountOf(maxLoss.amount), trail: maxLoss.trail, locksAt: locks ? amountOf(maxLoss.locksAt) : null, ...counts } : null,
    dailyLoss: on.dailyLoss ? { ...typed.dailyLoss, amount: amountOf(typed.dailyLoss.amount) } : null,
    profitTarget: on.profitTarget ? amountOf(typed.profitTarget) : null,
    consistency: on.consistency ? shareOf(typed.consistency) : null,
    minimumDays: on.minimumDays ? typedWhole(typed.minimumDays) : null,
    winningDays: on.winningDays ? winningOf(typed.winningDays) : null,
    contracts: on.contracts
      ? {
          all: emptyToNull(typed.contracts.all, typedWhole),
          micros: typed.contracts.micros,
          byProduct: typed.contracts.byProduct.map(({ product, most }) => ({ product: product.trim().toUpperCase(), most: typedWhole(most) })),
          scaling: typed.contracts.scaling.map(({ fromProfit, most }) => ({ fromProfit: amountOf(fromProfit), most: typedWhole(most) })),
        }
      : null,
    flatBy: on.flatBy ? { ...typed.flatBy, time: typed.flatBy.time.trim() } : null,
    noHedging: on.noHedging,
    timeLimit: on.timeLimit ? typedWhole(typed.timeLimit) : null,
    payout: on.payout
      ? {
          buffer: emptyToNull(payout.buffer, amountOf),
          minimumDays: emptyToNull(payout.minimumDays, typedWhole),
          winningDays: pays ? winningOf(payout.winningDays) : null,
          consistency: payout.consistency.percent.trim() === '' ? null : shareOf(payout.consistency),
          cap: emptyToNull(payout.cap, amountOf),
        }
      : null,
  }
}

const faultsOf: Readonly<Record<string, RuleFault>> = { startingBalance: 'from-zero', locksAt: 'from-zero', buffer: 'from-zero', fromProfit: 'from-zero', days: 'whole', minimumDays: 'whole', timeLimit: 'whole', most: 'whole', all: 'whole', percent: 'percent', time: 'time', product: 'product' }

type Wrong = { readonly path: PropertyKey[]; readonly fault: RuleFault }

/** What the schema of a rule set does not check: rules that are on without a value, shares of a missing target, duplicate products and steps. */
const unfit = ({ on, consistency, contracts, payout }: TypedRules): Wrong[] => {
  const wrong: Wrong[] = []
  if (on.contracts && contracts.all.trim() === '' && contracts.byProduct.length === 0 && contracts.scaling.length === 0) wrong.push({ path: ['contracts', 'all'], fault: 'nothing' })
  const asked = [payout.buffer, payout.minimumDays, payout.winningDays.days, payout.winningDays.profit, payout.consistency.percent, payout.cap]
  if (on.payout && asked.every((text) => text.trim() === '')) wrong.push({ path: ['payout', 'buffer'], fault: 'nothing' })
  if (on.consistency && consistency.of === 'target' && !on.profitTarget) wrong.push({ path: ['consistency', 'percent'], fault: 'target' })
  if (on.payout && payout.consistency.percent.trim() !== '' && payout.consistency.of === 'target' && !on.profitTarget) wrong.push({ path: ['payout', 'consistency', 'percent'], fault: 'target' })
  if (!on.contracts) return wrong
  const twice = (list: 'byProduct' | 'scaling', field: 'product' | 'fromProfit', keys: readonly string[]): Wrong[] =>
    keys.flatMap((key, at) => (keys.indexOf(key) < at ? [{ path: ['contracts', list, at, field], fault: 'twice' }] : []))
  return [
    ...wrong,
    ...twice('byProduct', 'product', contracts.byProduct.map(({ product }) => product.trim().toUpperCase())),
    ...twice('scaling', 'fromProfit', contracts.scaling.map(({ fromProfit }) => amountOf(fromProfit))),
  ]
}

/** Rules as typed, and as saved: nothing is guessed. Errors are codes; the screen owns the words. */
export const rulesFields = z.custom<TypedRules>().transform((typed, { issues }) => {
  const { data, error } = ruleSet.safeParse(rulesOf(typed))
  const wrong = [...(error?.issues ?? []).map(({ path }): Wrong => ({ path, fault: faultsOf[String(path.at(-1))] ?? 'amount' })), ...unfit(typed)]
  for (const { path, fault } of wrong) issues.push({ code: 'custom', input: typed, path, message: fault })
  if (data === undefined || wrong.length > 0) return z.NEVER
  data.contracts?.scaling.sort((one, other) => Number(one.fromProfit) - Number(other.fromProfit))
  return { set: data, presetId: typed.presetId, since: typed.since === '' ? null : typed.since }
})

/** Whether two rule sets are equivalent. */
export const sameRules = (one: RuleSet, other: RuleSet): boolean => JSON.stringify(ruleSet.parse(one)) === JSON.stringify(ruleSet.parse(other))
