import type { RuleSet } from '#shared/api/rules.ts'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { threadBody } from '../threads/thread-body.ts'

/** What a Monte Carlo is asked: `days` is UTF-8 JSON of the `DayFacts[]` that it draws from, `horizon` the sessions that a run may take. */
export type OddsQuestion = { readonly set: RuleSet; readonly days: Uint8Array; readonly seed: number; readonly runs: number; readonly horizon: number }

/** What the thread can be asked. */
export type OddsCalls = typeof calls

const calls = {
  // What the journal's thread wrote comes back as it was.
  odds: ({ set, days, seed, runs, horizon }: OddsQuestion) => oddsOf(set, JSON.parse(new TextDecoder().decode(days)) as DayFacts[], { seed, runs, horizon }),
}

threadBody().serve(calls)
