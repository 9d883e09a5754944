import type { OddsAnswer } from '#shared/api/rules.ts'
import { createSemaphore } from '../semaphore.ts'
import { createJobs } from '../threads/start-thread.ts'
import type { OddsCalls, OddsQuestion } from './odds-worker.ts'

/** Runs Monte Carlos, each on a thread of its own that lives for one question; no more than two at once, others wait. */
export type OddsThreads = {
  /** Rejects once `gone` aborts, and its thread is ended. The days are handed over and can be used no more. */
  readonly run: (question: OddsQuestion, gone: AbortSignal) => Promise<OddsAnswer | null>
  /** Ends those that are under way, and begins none any more. */
  readonly stop: () => Promise<void>
}

const mostAtOnce = 2

/** Begins with none. */
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
