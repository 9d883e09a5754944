import type { RuleSet } from '#shared/api/rules.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { threadBody } from '../threads/thread-body.ts'

/** The input of a Monte Carlo: `days` is UTF-8 JSON of the `DayFacts[]` to draw from, `horizon` the most sessions in a run. */
export type OddsQuestion = { readonly set: RuleSet; readonly days: Uint8Array; readonly seed: number; readonly runs: number; readonly horizon: number }

/** The calls of the thread. */
export type OddsCalls = typeof calls

const calls = {
  // The journal's thread wrote it, so it parses.
  odds: ({ set, days, seed, runs, horizon }: OddsQuestion) => oddsOf(set, JSON.parse(new TextDecoder().decode(days)) as DayFacts[], { seed, runs, horizon }),
}

threadBody().serve(calls)
