import { openCopierStore } from '../store/copier-store.ts'
import { createLogins } from '../../sync/logins.ts'
import { systemTiming } from '../../brokers/timing.ts'
import { threadBody } from '../../threads/thread-body.ts'
import type { CopierMainCalls } from './calls.ts'
import { startEngine } from './engine.ts'
import { openLine } from './line.ts'
import type { CopierSettings } from './thread.ts'

const { data, main, log, serve } = threadBody<CopierSettings, CopierMainCalls>()
const { callsPerHour, ...files } = data
const stopping = new AbortController()

const store = openCopierStore({ ...files, log })
const logins = createLogins({ main, timing: systemTiming, stop: stopping.signal })
const engine = startEngine({ store, main, logins, openLine, timing: systemTiming, callsPerHour, log })

serve({
  ...engine,
  stop: async () => {
    await engine.stop()
    stopping.abort()
    await logins.settled()
    store.close()
  },
})
