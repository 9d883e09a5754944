import { parentPort, workerData } from 'node:worker_threads'
import type { DayFacts } from '#shared/rules/day-facts.ts'
import { oddsOf } from '#shared/rules/odds.ts'
import type { OddsReply } from './odds-thread.ts'
import type { OddsQuestion } from './service.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')

const answer = ({ set, days, seed, runs, horizon }: OddsQuestion): OddsReply => {
  try {
    // What the journal's thread wrote comes back as it was.
    return { ok: true, odds: oddsOf(set, JSON.parse(new TextDecoder().decode(days)) as DayFacts[], { seed, runs, horizon }) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

parentPort.postMessage(answer(workerData as OddsQuestion))
