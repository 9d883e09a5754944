import { parentPort, workerData } from 'node:worker_threads'
import type { Log, LogFields } from '#shared/base/log.ts'
import { asking, clientOf, createServer, type Client, type Functions, type Serving } from './rpc.ts'

/** The log call that every thread can make to its parent. */
export type LogCall = { readonly log: (line: { readonly level: keyof Log; readonly fields: LogFields; readonly message: string }) => void }

/** A thread from the inside. */
export type ThreadBody<Data, Main extends Functions> = {
  /** Its start data. */
  readonly data: Data
  /** The functions of the parent thread. */
  readonly main: Client<Main>
  /** The program's log. */
  readonly log: Log
  /** Answers the parent. The call `stop` ends this thread after its own `stop`, if it has one. */
  readonly serve: (functions: Functions & { readonly stop?: () => void | Promise<void> }, serving?: Serving) => void
}

/** Call it in the body of a thread that `startThread` starts. */
export const threadBody = <Data, Main extends Functions = Functions>(): ThreadBody<Data, Main> => {
  if (parentPort === null) throw new Error('This file is the body of a thread')
  const port = parentPort
  const ask = asking(port)
  const program = clientOf<LogCall>(ask)
  // During a shutdown there may be no parent left to log.
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
          // Even if it throws: a thread that stays would hold up the shutdown. Send the answer first.
          setImmediate(() => port.close())
        }
      }
      createServer({ ...functions, stop }, serving).serve(port)
    },
  }
}
