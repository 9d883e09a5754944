import type { RulePreset, RuleSet } from '../../api/rules.ts'

/** The day on which the sources of the first presets were read. */
const firstRead = '2026-11-22'

/** A source of figures, its display name, whether it is a page of the firm itself, and the day on which it was read if that is another. */
export type Source = { readonly url: string; readonly named: string; readonly ofFirm?: true; readonly readOn?: string }

/** One fact followed by the name and date of its source. */
export const cited = (text: string, source: Source): RulePreset['facts'][number] => ({ fact: `${text} (${source.named})`, source: source.url, readOn: source.readOn ?? firstRead, ofFirm: source.ofFirm ?? false })

/** Dollars as the exact decimal of a rule set. */
export const usd = (dollars: number): string => String(dollars)

const grouped = (dollars: number): string => String(dollars).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** Whole dollars as text, `2,500 USD`. */
export const money = (dollars: number): string => `${grouped(dollars)} USD`

/** A plan's size, `50K`. */
const short = (size: number): string => `${String(size / 1000)}K`

const noRules: Omit<RuleSet, 'startingBalance'> = {
  currency: 'USD',
  maxLoss: null,
  dailyLoss: null,
  profitTarget: null,
  consistency: null,
  minimumDays: null,
  winningDays: null,
  contracts: null,
  flatBy: null,
  noHedging: false,
  timeLimit: null,
  payout: null,
}

/** A payout gate without conditions. */
export const freePayout: NonNullable<RuleSet['payout']> = { buffer: null, minimumDays: null, winningDays: null, consistency: null, cap: null }

/** One plan, size, and phase in a firm's file; rules left out do not apply. */
type Draft = {
  readonly firm: RulePreset['firm']
  /** The beginning of the preset's id: firm and plan, `tradeify-growth`. */
  readonly slug: string
  readonly plan: string
  readonly size: number
  readonly phase: RulePreset['phase']
  /** If it differs from the size. */
  readonly startsAt?: number
  readonly rules: Partial<Omit<RuleSet, 'startingBalance'>>
  readonly facts: RulePreset['facts']
  readonly leftOut: readonly string[]
}

/** A preset of a draft, its id made of slug, size and phase: `apex-50k-evaluation`. */
export const preset = ({ firm, slug, plan, size, phase, startsAt = size, rules, facts, leftOut }: Draft): RulePreset => ({
  id: `${slug}-${short(size).toLowerCase()}-${phase}`,
  firm,
  plan,
  size: usd(size),
  phase,
  set: { ...noRules, startingBalance: usd(startsAt), ...rules },
  facts,
  leftOut: [...leftOut],
})

/** A total cap in minis, ten micros as one; with `steps`, a scaling plan by the profit at the day's start. */
export const minis = (all: number, steps: readonly (readonly [fromProfit: number, most: number])[] = []): NonNullable<RuleSet['contracts']> => ({
  all,
  micros: 'tenth',
  byProduct: [],
  scaling: steps.map(([fromProfit, most]) => ({ fromProfit: usd(fromProfit), most })),
})

/** The steps of a scaling plan in words, `1 from 0, 2 from 1,500 USD`. */
export const inSteps = (steps: readonly (readonly [fromProfit: number, most: number])[]): string => `${steps.map(([fromProfit, most]) => `${String(most)} from ${grouped(fromProfit)}`).join(', ')} USD`

/** Flat by this wall time in Chicago. */
export const chicago = (time: string): RuleSet['flatBy'] => ({ time, zone: 'America/Chicago' })

/** Flat by this wall time in New York. */
export const newYork = (time: string): RuleSet['flatBy'] => ({ time, zone: 'America/New_York' })
