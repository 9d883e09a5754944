import { parentPort, workerData } from 'node:worker_threads'
import { openCopierStore } from '../store/copier-store.ts'
import { createLogins } from '../../sync/logins.ts'
import { answerCalls, callsOver } from '../../sync/port-calls.ts'
import { systemTiming } from '../../brokers/tradovate/timing.ts'
import { copierMainCalls, type CopierMainCalls } from './calls.ts'
import { startEngine } from './engine.ts'
import { openLine } from './line.ts'
import type { CopierStart } from './thread.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')
const port = parentPort
const { main: line, callsPerHour, ...files } = workerData as CopierStart
const main = callsOver<CopierMainCalls>(line, copierMainCalls)
const stopping = new AbortController()
// What is told while the program ends may find nobody to hear it.
const say = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string): void => void main.log({ level, fields: { ...fields }, message }).catch(() => undefined)
const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }

const store = openCopierStore({ ...files, log })
const logins = createLogins({ main, timing: systemTiming, stop: stopping.signal })
const engine = startEngine({ store, main, logins, openLine, timing: systemTiming, callsPerHour, log })

answerCalls(port, {
  ...engine,
  stop: async () => {
    await engine.stop(null)
    stopping.abort()
    await logins.settled()
    store.close()
    // The answer leaves first.
    setImmediate(() => {
      line.close()
      port.close()
    })
  },
})
