import { parseArgs } from 'node:util'
import { openLog } from './log.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'
import { readSettings } from './settings.ts'
import type { CloudSettings } from './settings.ts'
import { problemsText, StartFault } from './start-problem.ts'

// The parent may close stdout.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

const usage = 'usage: npm run cloud -- [--port P] [--until-stdin-ends]'
const longestStopMs = 20_000
const parentLookMs = 200

const leave = (code: number, text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

const readArguments = (): { port?: string | undefined; 'until-stdin-ends'?: boolean | undefined } => {
  try {
    return parseArgs({ options: { port: { type: 'string' }, 'until-stdin-ends': { type: 'boolean' } } }).values
  } catch {
    return leave(2, usage)
  }
}

const settingsOf = (port: string | undefined): CloudSettings => {
  const settings = readSettings(process.env, port)
  if (!settings.ok) return leave(2, problemsText(settings.error))
  // Child processes do not need them.
  delete process.env['FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET']
  delete process.env['FILLBOOK_CLOUD_STRIPE_SECRET_KEY']
  delete process.env['FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET']
  delete process.env['DATABASE_URL']
  return settings.value
}

/** Calls back once the parent process is gone. */
const whenOrphaned = (listener: () => void): void => {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    listener()
  }, parentLookMs)
}

/** Returns what the signals do. */
const stopOnSignal = (service: Service): (() => void) => {
  let asked = false
  const stop = (): void => {
    if (asked) process.exit(1)
    asked = true
    setTimeout(() => leave(1, 'Fillbook Cloud did not stop in time and was cut off.'), longestStopMs).unref()
    void service.stop().then(() => process.exit(0), () => leave(1, 'Fillbook Cloud did not stop cleanly.'))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // npm passes a signal to its shell, but not every shell passes it on to us: we only see that it is gone.
  if (process.env['npm_lifecycle_event'] !== undefined) whenOrphaned(() => (asked ? undefined : stop()))
  return stop
}

const { port, 'until-stdin-ends': untilInputEnds } = readArguments()
let stop = (): void => process.exit(0)
// The parent may be killed: only the end of its pipe shows that.
if (untilInputEnds === true) process.stdin.on('end', () => stop()).on('error', () => stop()).resume()
const settings = settingsOf(port)
const log = openLog(settings.logLevel)
const service = await startService(settings, log).catch((error: unknown) => {
  if (error instanceof StartFault) {
    log.debug({ error }, 'service did not start')
    return leave(1, problemsText([error.problem]))
  }
  throw error
})
stop = stopOnSignal(service)
process.stdout.write(`Fillbook Cloud is ready at ${service.url}\n`)
