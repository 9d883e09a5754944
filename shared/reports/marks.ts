import type { Shown } from './shown-figure.ts'

/** Words that say what a figure measures. */
export type Label =
  | 'net'
  | 'gross'
  | 'commission'
  | 'average'
  | 'average-win'
  | 'average-loss'
  | 'largest-win'
  | 'largest-loss'
  | 'drawdown'
  | 'gave-back'
  | 'excess'
  | 'interval'
  | 'profit-factor'
  | 'win-rate'
  | 'share'
  | 'chance'
  | 'hold'
  | 'size'
  | 'streak'

/** What is counted. */
export type Noun = 'trades' | 'wins' | 'losses' | 'days' | 'contracts'

/** A figure of a text; `sign` is the one that it carries itself, 0 where it has none. */
export type Figure = {
  readonly unit: 'money' | 'share' | 'time' | 'number' | 'one-in'
  readonly shown: Shown
  readonly sign: -1 | 0 | 1
  readonly currency: string | null
  /** The upper end, where it is a range. */
  readonly to: { readonly shown: Shown; readonly sign: -1 | 0 | 1 } | null
}

/** A date as far as a text says it. */
export type SaidDay = { readonly year: number | null; readonly month: number; readonly day: number }

/** What a text says the trades are of. */
export type Name =
  | { readonly field: 'account'; readonly value: string }
  | { readonly field: 'product'; readonly value: string }
  | { readonly field: 'side'; readonly value: 'long' | 'short' }
  | { readonly field: 'weekday'; readonly value: number }
  | { readonly field: 'hour'; readonly value: number | null }
  | { readonly field: 'day'; readonly value: SaidDay }
  | { readonly field: 'month'; readonly value: { readonly year: number | null; readonly month: number } }
  | { readonly field: 'year'; readonly value: number }
  | { readonly field: 'period'; readonly value: { readonly from: SaidDay; readonly to: SaidDay } }
  | { readonly field: 'zone'; readonly value: readonly string[] }
  | { readonly field: 'held'; readonly value: { readonly from: Shown | null; readonly to: Shown | null } }
  | { readonly field: 'kind'; readonly value: readonly string[] }
  | { readonly field: 'whole'; readonly value: true }
  /** `this week`, of a report of one. */
  | { readonly field: 'span'; readonly value: 'day' | 'week' | 'month' }
  /** `the other days`: what a fact is of, and is held against others of. */
  | { readonly field: 'others'; readonly value: 'weekday' | 'hour' | 'product' | 'account' | 'side' }

/**
 * What is read in a text, in its order. `break` parts its pieces; `other` speaks of what something is held against; `more`
 * compares, with what `than` says or with the others; `sum` says that a figure is one of all; `poison` is a word that may turn a figure into another claim, so that none beside it is proved; `unreadable` may
 * be a claim itself and is never proved; `word` says nothing to the check, or, where it is not `known`, something that the
 * check does not understand.
 */
export type Mark =
  | { readonly is: 'figure'; readonly figure: Figure; readonly text: string }
  | { readonly is: 'name'; readonly name: Name; readonly text: string }
  | { readonly is: 'label'; readonly label: Label }
  | { readonly is: 'noun'; readonly noun: Noun; /** `trade`, not `trades`. */ readonly one?: boolean }
  | { readonly is: 'sign'; readonly sign: -1 | 1; readonly of: 'money' | 'trades' | 'any' }
  | { readonly is: 'more'; readonly way: -1 | 1; readonly than: boolean }
  | { readonly is: 'other' }
  | { readonly is: 'sum' }
  | { readonly is: 'poison'; readonly text: string }
  | { readonly is: 'unreadable'; readonly text: string }
  | { readonly is: 'break'; readonly against: boolean }
  | { readonly is: 'word'; /** Whether it is a verb that does not say what an amount is. */ readonly isVerb?: boolean; readonly between: boolean; readonly known: boolean; readonly text: string }

/** What was read from a place on, and the place after it. */
export type Read<T> = { readonly found: T; readonly next: number }
