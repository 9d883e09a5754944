import { startCopierThread } from '#backend/copier/engine/thread.ts'
import { ownApp } from '#backend/sync/broker-app.ts'
import { createAsk } from '#backend/brokers/tradovate/ask.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import type { Log } from '#shared/base/log.ts'
import type { ChildAnswer, ChildCall, ChildOrder } from './copier-child.ts'

// The body of a process that is made to be killed: the copier's thread, and what the main thread is to it. It is asked over the process's own channel.
const order = JSON.parse(process.env['COPIER_ORDER'] ?? '') as ChildOrder
const tokens = new Map(Object.entries(order.tokens))
const app = ownApp({ ask: createAsk(systemTiming), timing: systemTiming, hosts: order.hosts, credentials: order.credentials })

// Whoever started it may be killed.
process.on('disconnect', () => process.exit(1))
const tell = (answer: ChildAnswer): void => void process.send?.(answer)
const say = (level: keyof Log) => (fields: object, message: string): void => {
  const { error, ...rest } = fields as { error?: unknown }
  tell({ kind: 'log', level, line: `${message} ${JSON.stringify(rest)}${error === undefined ? '' : ` ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}`}` })
}
const log: Log = { debug: () => undefined, info: say('info'), warn: say('warn'), error: say('error') }

const thread = startCopierThread({
  settings: { file: order.file, migrationsFolder: order.migrationsFolder, backupFolder: order.backupFolder, callsPerHour: order.callsPerHour },
  log,
  broken: () => process.exit(2),
  main: {
    open: ({ loginId }) => {
      const kept = tokens.get(loginId)
      return Promise.resolve(kept === undefined ? { kind: 'no-tokens' } : { kind: 'open', tokens: kept, hosts: order.hosts })
    },
    refresh: ({ refreshToken }) => app.refresh(refreshToken),
    replace: ({ loginId, tokens: next }) => {
      tokens.set(loginId, next)
      return Promise.resolve()
    },
    accounts: () => Promise.resolve(order.accounts),
    live: ({ live }) => tell({ kind: 'live', live }),
    armed: () => undefined,
    positions: () => undefined,
    copied: () => undefined,
  },
})

process.on('message', (call: ChildCall) => {
  const ask = thread[call.name] as (input: unknown) => Promise<unknown>
  void ask(call.input).then(
    (value) => tell({ kind: 'answer', id: call.id, value }),
    (error: unknown) => tell({ kind: 'failure', id: call.id, why: String(error) }),
  )
})
