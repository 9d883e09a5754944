import type { OddsAnswer } from '#shared/api/rules.ts'
import { createSemaphore } from '../semaphore.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { OddsCalls, OddsQuestion } from './odds-worker.ts'

/** Runs Monte Carlos, each alone on a thread; at most two at once, others wait. */
export type OddsThreads = {
  /** Rejects once `gone` aborts, and ends its thread. The days are transferred and cannot be used afterward. */
  readonly run: (question: OddsQuestion, gone: AbortSignal) => Promise<OddsAnswer | null>
  /** Ends running ones, and starts no more. */
  readonly stop: () => Promise<void>
}

const mostAtOnce = 2

/** Starts without one. */
export const createOddsThreads = (): OddsThreads => {
  const threads = createJobs<OddsCalls>(new URL('./odds-worker.ts', import.meta.url), 'odds')
  const limited = createSemaphore(mostAtOnce)
  const stopping = new AbortController()
  return {
    run: (question, gone) => {
      const left = AbortSignal.any([gone, stopping.signal])
      return limited(left, () => threads.run('odds', question, left, [question.days.buffer as ArrayBuffer]))
    },
    stop: async () => {
      stopping.abort(new Error('The program ends'))
      await threads.close()
    },
  }
}
