import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { startTestBroker } from '#tests/demo-broker/broker.ts'
import { journalRows, type JournalRows } from '../helpers/journal-rows.ts'
import { programFile } from '../helpers/program.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import type { KillOrder } from './kill-order.ts'

const child = programFile('tests/scenarios/kill-child.ts')

/** How one start of the process ends before its time; milliseconds after its start are random for each start, since a walk may be over before. */
export type Kill = { readonly at: string } | { readonly drawMs: () => number } | { readonly hook: string }

/** A stand-in with processes that walk through it and are killed. */
export type KillGround = {
  /** Begins a walk in an empty folder. */
  readonly walk: () => Promise<{
    /** Starts the process; true where it was killed, false where it came to its end first. Throws where it failed. */
    readonly start: (kill?: Kill) => Promise<boolean>
    readonly rows: () => JournalRows
  }>
  readonly close: () => Promise<void>
}

/** Starts a stand-in with tokens so short-lived that nearly every start refreshes them. `stops` is how much of its story is walked. */
export const openKillGround = async (stops: number): Promise<KillGround> => {
  const broker = await startTestBroker({ anchor: '2026-03-06' })
  broker.faults.set([{ kind: 'short-lived', seconds: 2 }])
  const folders: string[] = []
  const { url, controlToken, logins } = broker

  const start = async (order: KillOrder, kill: Kill | undefined): Promise<boolean> => {
    const given: KillOrder = { ...order, ...(kill !== undefined && 'at' in kill ? { killAt: kill.at } : kill !== undefined && 'hook' in kill ? { hook: kill.hook } : {}) }
    const running = spawn(process.execPath, [child], { env: { ...process.env, KILL_ORDER: JSON.stringify(given) }, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(running, 'exit')
    const over = new AbortController()
    if (kill !== undefined && 'drawMs' in kill) {
      void after(kill.drawMs(), undefined, { signal: over.signal }).then(() => running.kill('SIGKILL'), () => undefined)
    }
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
    over.abort()
    if (signal === 'SIGKILL') return true
    if (code !== 0) throw new Error(`The process failed:\n${output}`)
    return false
  }

  return {
    walk: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'fillbook-kill-'))
      folders.push(folder)
      const order: KillOrder = {
        folder,
        brokerage: brokerageAt(broker),
        broker: { url, controlToken, logins: logins.map(({ name }) => name), walk: broker.walk.slice(0, stops).map(({ at }) => at) },
      }
      return { start: (kill) => start(order, kill), rows: () => journalRows(join(folder, 'journal.db')) }
    },
    close: async () => {
      await broker.stop()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

/** What sets two journals apart, one line a row; empty where they are the same, row by row. */
export const differences = (one: JournalRows, other: JournalRows): string[] =>
  Object.keys(other).flatMap((table) => {
    const left = new Set(one[table]?.map((row) => JSON.stringify(row)))
    const right = new Set(other[table]?.map((row) => JSON.stringify(row)))
    const only = (rows: Set<string>, rest: Set<string>, sign: string): string[] => [...rows].filter((row) => !rest.has(row)).map((row) => `${sign} ${table} ${row}`)
    const doubled = (one[table]?.length ?? 0) - left.size
    return [...only(left, right, '+'), ...only(right, left, '-'), ...(doubled > 0 ? [`${String(doubled)} doubled rows in ${table}`] : [])]
  })
