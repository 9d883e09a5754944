import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import { startCopierThread, type CopierThread } from '#backend/copier/engine/thread.ts'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { openLedger, type Ledger } from '#backend/copier/store/open-ledger.ts'
import type { FollowerRule, GroupDraft } from '#shared/api/copier.ts'
import { logIn } from '../helpers/demo-client.ts'
import { temporaryFolder } from '../helpers/running-app.ts'
import { until } from '../helpers/until.ts'
import type { FanOutAsk, FanOutRound, FanOutStart } from './fan-out.ts'
import { median, rounded, scale, type BenchRow } from './row.ts'
import { keepSyncing } from './sync.ts'

const userId = 'bench'
const followers = 50
const symbol = 'MESZ6'
const pairs = 20 * scale
const warmUps = 3
/** Leader's fills, and bare rounds, of one pair: enough for its p99. */
const rounds = 10
const limits = { http: { p50: 1.3, p99: 1.6 }, socket: { p50: 2, p99: 2.5 } }
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const announcement = z.object({
  url: z.string(),
  controlToken: z.string(),
  origins: z.object({ consentUrl: z.string(), liveApi: z.string(), demoApi: z.string(), tokenUrls: z.tuple([z.string(), z.string()]) }),
  clientId: z.string(),
  clientSecret: z.string(),
  logins: z.array(z.object({ name: z.string(), userId: z.number(), accounts: z.array(z.object({ id: z.number(), name: z.string(), environment: z.enum(['live', 'demo']) })) })),
})
type Broker = z.infer<typeof announcement>

/** Milliseconds from a leader's fill at the socket, or from the beginning of a bare round, to the last of 50 requests on the wire. */
type Pair = { readonly copier: readonly number[]; readonly http: readonly number[]; readonly socket: readonly number[] }

/**
 * A leader's fill, from the moment the copier's thread receives it on its socket, to the last of 50 follower orders on
 * the wire, as the ledger has it: two logins, everything decided and written down before it is sent on their sockets. The
 * yardstick is a thread of the same kind that only sends the same 50 requests: in one tick, over 50 keep-alive HTTP
 * connections that are warm, and as frames on one socket. On the wire is, for all three, when the system took the bytes: the
 * moment in which the callback of the write is called. The stand-in is a process of its own; all take turns, medians over the
 * pairs. Once more while a sync runs.
 */
export const benchCopier = async (): Promise<readonly BenchRow[]> => {
  const [command, ...options] = [...whileIdle(), process.execPath, fileURLToPath(new URL('../demo-broker/main.ts', import.meta.url)), '--anchor', '2026-11-20', '--floor', 'ada:0:26,bo:0:25,bare:0:50']
  const standIn = spawn(command, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const { path: folder, remove } = await temporaryFolder()
  try {
    const { value } = (await createInterface(standIn.stdout)[Symbol.asyncIterator]().next()) as { value: string }
    const broker = announcement.parse(JSON.parse(value))
    const course = await openCourse(broker, folder)
    try {
      for (let pair = 0; pair < warmUps; pair += 1) await course.pair()
      const alone = await inTurn(course, pairs)
      const sync = await keepSyncing()
      try {
        const beside = await inTurn(course, pairs / 2)
        return rowsOf(alone, beside)
      } finally {
        await sync.stop()
      }
    } finally {
      await course.end()
    }
  } finally {
    standIn.kill()
    await remove()
  }
}

/** The beginning of a command line that runs only while a processor is idle: a broker is another machine, which takes no time from this one. Empty where the system cannot. */
const whileIdle = (): string[] => (spawnSync('chrt', ['--idle', '0', process.execPath, '--version']).status === 0 ? ['chrt', '--idle', '0'] : [])

const inTurn = async (course: Course, count: number): Promise<Pair[]> => {
  const measured: Pair[] = []
  for (let pair = 0; pair < count; pair += 1) measured.push(await course.pair())
  return measured
}

const share = (values: readonly number[], part: number): number => values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? NaN

const figuresOf = (measured: readonly Pair[], part: number): { copier: number; http: number; socket: number } => ({
  copier: median(measured.map(({ copier }) => share(copier, part))),
  http: median(measured.map(({ http }) => share(http, part))),
  socket: median(measured.map(({ socket }) => share(socket, part))),
})

const rowsOf = (alone: readonly Pair[], beside: readonly Pair[]): BenchRow[] =>
  ([['p50', 0.5], ['p99', 0.99]] as const).flatMap(([name, part]) => {
    const figures = figuresOf(alone, part)
    const synced = figuresOf(beside, part)
    return ([['http', 'over HTTP'], ['socket', 'on a socket']] as const).map(([bare, how]) => ({
      name: `a leader's fill to the last of ${String(followers)} orders, ${name} against a loop ${how}`,
      ratio: figures.copier / figures[bare],
      limit: limits[bare][name],
      details: {
        copier: rounded(figures.copier), bare: rounded(figures[bare]), pairs: alone.length,
        'copier beside a sync': rounded(synced.copier), 'bare beside a sync': rounded(synced[bare]), 'ratio beside a sync': rounded(synced.copier / synced[bare]),
      },
    }))
  })

/** A group of 50 followers that is armed, and the bare thread beside it. */
type Course = { readonly pair: () => Promise<Pair>; readonly end: () => Promise<void> }

const openCourse = async (broker: Broker, folder: string): Promise<Course> => {
  const accounts = broker.logins.flatMap(({ name: loginId, accounts: own }) =>
    own.map(({ id, name, environment }): CopierAccount => ({ key: `tradovate:${environment}:${String(id)}`, loginId, environment, id, name })))
  const [leader, ...following] = accounts.filter(({ loginId }) => loginId !== 'bare')
  if (leader === undefined || following.length !== followers) throw new Error('Other accounts than were asked for')
  const { thread, ledger } = await openGroup(broker, folder, { accounts, leader, following })
  const bareToken = (await logIn(broker as unknown as TestBroker, 'bare')).access_token
  const start: FanOutStart = { base: broker.origins.demoApi, token: bareToken, symbol, accounts: accounts.filter(({ loginId }) => loginId === 'bare') }
  const bare = new Worker(new URL('./fan-out.ts', import.meta.url), { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: 128 } })
  let event = 0
  let turn = 0

  const led = async (action: 'Buy' | 'Sell'): Promise<number> => {
    await fetch(`${broker.url}/_demo/order`, { method: 'POST', headers: { authorization: `Bearer ${broker.controlToken}` }, body: JSON.stringify({ account: leader.id, action, symbol, qty: 1 }) })
    // Whoever looks for the copies comes when they are over: two cores are few.
    await pause(50)
    const row = await until(() => {
      const [newest] = ledger.ledger({ userId, limit: 1 }).rows
      return newest !== undefined && newest.id > event && newest.copies.length === followers && newest.copies.every(({ status }) => status === 'filled') ? newest : null
    }, 'all copies to be filled')
    event = row.id
    return Math.max(...row.copies.map(({ times }) => times.toWire ?? NaN))
  }

  const fanned = async (ask: FanOutAsk): Promise<number> => {
    bare.postMessage(ask)
    const [{ wires }] = (await once(bare, 'message')) as [FanOutRound]
    return Math.max(...wires)
  }

  return {
    pair: async () => {
      const copier: number[] = []
      const http: number[] = []
      const socket: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        turn += 1
        const action = turn % 2 === 1 ? 'Buy' : 'Sell'
        copier.push(await led(action))
        // All begin from rest: what followed the orders is over.
        await pause(50)
        http.push(await fanned({ via: 'http', action }))
        await pause(50)
        socket.push(await fanned({ via: 'socket', action }))
        await pause(50)
        ledger.tend()
      }
      return { copier, http, socket }
    },
    end: async () => {
      await bare.terminate()
      await thread.stop()
      ledger.close()
    },
  }
}

const plainRule = (account: string): FollowerRule => ({
  account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 100, invert: false, guard: false,
})

type Cast = { readonly accounts: readonly CopierAccount[]; readonly leader: CopierAccount; readonly following: readonly CopierAccount[] }

const openGroup = async (broker: Broker, folder: string, { accounts, leader, following }: Cast): Promise<{ thread: CopierThread; ledger: Ledger }> => {
  const { consentUrl, tokenUrls, liveApi, demoApi } = broker.origins
  const hosts = { authorize: consentUrl, token: tokenUrls, live: liveApi, demo: demoApi }
  const file = join(folder, 'copier.db')
  const ignore = (): void => undefined
  const thread = startCopierThread({
    settings: { file, migrationsFolder: fileURLToPath(new URL('../../migrations/copier/', import.meta.url)), backupFolder: join(folder, 'backups'), callsPerHour: 200_000 },
    log: { ...quiet, error: (fields, message) => { console.error(message, fields) } },
    main: {
      open: async ({ loginId }) => {
        const given = await logIn(broker as unknown as TestBroker, loginId)
        const now = Date.now()
        return { kind: 'open', hosts, tokens: { access: given.access_token, accessExpiresAt: now + given.expires_in * 1000, obtainedAt: now } }
      },
      refresh: () => Promise.reject(new Error('No token dies during a measurement')),
      replace: () => Promise.resolve(),
      accounts: () => Promise.resolve(accounts),
      live: ignore,
      positions: ignore,
      armed: ignore,
      copied: ignore,
    },
  })
  const draft: GroupDraft = { name: 'Fifty', leader: leader.key, followers: following.map(({ key }) => plainRule(key)), exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false }
  const group = await thread.saveGroup({ userId, id: null, draft })
  if (group === null) throw new Error('The group was not taken')
  await thread.allow({ userId, id: group.id, entries: true })
  await thread.arm({ userId, id: group.id })
  await until(async () => {
    const [live] = (await thread.state({ userId })).live.groups
    return live?.leaderLine === 'up' && live.followers.every(({ line }) => line === 'up') ? true : null
  }, 'all lines to be up')
  const ledger = openLedger(file)
  if (ledger === null) throw new Error('No ledger')
  return { thread, ledger }
}
