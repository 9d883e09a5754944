import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OddsAnswer } from '#shared/api/rules.ts'
import { createPlaces } from '../semaphore.ts'
import type { OddsQuestion } from './service.ts'

/** What the thread answers. */
export type OddsReply = { readonly ok: true; readonly odds: OddsAnswer | null } | { readonly ok: false; readonly message: string }

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
  const running = new Set<Worker>()
  const places = createPlaces(mostAtOnce)

  const answerOf = async (question: OddsQuestion, gone: AbortSignal): Promise<OddsAnswer | null> => {
    gone.throwIfAborted()
    const worker = new Worker(new URL('./odds-worker.ts', import.meta.url), { name: 'odds', workerData: question, transferList: [question.days.buffer as ArrayBuffer] })
    running.add(worker)
    const end = (): void => void worker.terminate()
    gone.addEventListener('abort', end, { once: true })
    try {
      const ended = once(worker, 'exit').then(() => [null] as const)
      const [reply] = (await Promise.race([once(worker, 'message'), ended])) as [OddsReply | null]
      gone.throwIfAborted()
      if (reply === null) throw new Error('The thread of the odds ended')
      if (!reply.ok) throw new Error(reply.message)
      return reply.odds
    } finally {
      gone.removeEventListener('abort', end)
      running.delete(worker)
      await worker.terminate()
    }
  }

  const stopping = new AbortController()
  return {
    run: async (question, gone) => {
      const left = AbortSignal.any([gone, stopping.signal])
      const giveBack = await places.take(left)
      try {
        return await answerOf(question, left)
      } finally {
        giveBack()
      }
    },
    stop: async () => {
      stopping.abort(new Error('The program ends'))
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}
