import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import { threadBody } from '../threads/thread-body.ts'
import type { OddsQuestion } from './service.ts'

/** What the thread can be asked. */
export type OddsCalls = typeof calls

const calls = {
  // What the journal's thread wrote comes back as it was.
  odds: ({ set, days, seed, runs, horizon }: OddsQuestion) => oddsOf(set, JSON.parse(new TextDecoder().decode(days)) as DayFacts[], { seed, runs, horizon }),
}

threadBody().serve(calls)
