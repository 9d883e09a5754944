import { parentPort, workerData } from 'node:worker_threads'
import type { Log, LogFields } from '#shared/base/log.ts'
import { asking, clientOf, createServer, type Client, type Functions, type Serving } from './rpc.ts'

/** What every thread can call in the thread that started it. */
export type LogCall = { readonly log: (line: { readonly level: keyof Log; readonly fields: LogFields; readonly message: string }) => void }

/** A thread seen from inside. */
export type ThreadBody<Data, Main extends Functions> = {
  /** What the thread was given at its start. */
  readonly data: Data
  /** The functions of the thread that started it. */
  readonly main: Client<Main>
  /** The program's log. */
  readonly log: Log
  /** Answers that thread. Its call `stop` ends this one once `stop` here is through, if there is one. */
  readonly serve: (functions: Functions & { readonly stop?: () => void | Promise<void> }, serving?: Serving) => void
}

/** To be called in the file that a thread begins with, as `startThread` starts it. */
export const threadBody = <Data, Main extends Functions = Functions>(): ThreadBody<Data, Main> => {
  if (parentPort === null) throw new Error('This file is the body of a thread')
  const port = parentPort
  const ask = asking(port)
  const program = clientOf<LogCall>(ask)
  // What is logged while the program ends may find nobody to hear it.
  const say = (level: keyof Log) => (fields: object, message: string): void => void program.log({ level, fields: { ...fields }, message }).catch(() => undefined)
  return {
    data: workerData as Data,
    main: clientOf<Main>(ask),
    log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    serve: (functions, serving) => {
      const stop = async (): Promise<void> => {
        try {
          await functions.stop?.()
        } finally {
          // Also where it throws: a thread that stays would hold up the shutdown. The answer leaves first.
          setImmediate(() => port.close())
        }
      }
      createServer({ ...functions, stop }, serving).serve(port)
    },
  }
}
