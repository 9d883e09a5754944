import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startDemoBroker, type DemoBroker } from '#demo-broker/broker.ts'
import { lastOpenTime } from '#demo-broker/calendar.ts'
import type { DemoOrder } from '#shared/api/demo-market.ts'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { joinReceipts } from '#shared/sync/join-receipts.ts'
import { createDemoCloud, type DemoCloud } from './demo-cloud.ts'
import { anchorBefore, progressOfWalk, readMemory, stopsOf, writeMemory } from './demo-walk.ts'
import type { StartChild } from './node-child.ts'
import type { PrintSource } from './prices/service.ts'
import type { Brokerage } from './sync/token-keeper.ts'
import type { RunRequest } from './sync/sync.ts'

/** How often the demo's prices move while someone watches them. */
const pricesPerSecond = 2

type SyncRun = (request: RunRequest, progress: (progress: SyncProgress) => void) => Promise<SyncReceipt>

/** The demo brokerage, and the walk through its sessions. */
export type DemoMode = {
  /** Trades the product's front month at the market, by hand; returns the contract, and the brokerage's message if it refused the order. */
  readonly trade: (order: DemoOrder) => { readonly contract: string; readonly refused: string | null }
  readonly broker: DemoBroker
  /** The cloud that mirrors the demo profile's journal; started at its first use. */
  readonly cloud: DemoCloud
  /** The demo profile's brokerage; `redirectUri` is this program's own. */
  readonly brokerage: (redirectUri: string) => Brokerage
  /**
   * Turns a run of the demo profile into runs at each stop: the market's clock advances, and nothing in between is
   * missed. `keep` gets the receipt of a whole walk, which replaces that of its last stop.
   */
  readonly walk: (run: SyncRun, keep: (receipt: SyncReceipt) => Promise<void>) => SyncRun
  /** The market's own prints of whole sessions in which something is missing. */
  readonly prints: PrintSource
  /** Deletes the cloud with its database, and the walk's memory: the next demo profile starts empty. */
  readonly forget: () => Promise<void>
  /** Stops not synced yet. */
  readonly stopsLeft: () => number
  readonly stop: () => Promise<void>
}

/**
 * Starts the demo broker on loopback. Its last session, clock and logins are stored in `folder`, so that a restart
 * resumes where it was. `cloudEntry` is the program of the cloud, started by `startChild` if given; `now` is UTC ms.
 */
export const startDemoMode = async (parts: { readonly folder: string; readonly cloudEntry: string; readonly startChild?: StartChild | undefined; readonly now: () => number; readonly log: Log }): Promise<DemoMode> => {
  const { folder, cloudEntry, startChild, now, log } = parts
  const file = join(folder, 'walk.json')
  let memory = readMemory(file) ?? { anchor: anchorBefore(now()), walked: 0, port: 0 }
  const remember = (changes: Partial<typeof memory>): void => {
    memory = { ...memory, ...changes }
    try {
      writeMemory(file, memory)
    } catch (error) {
      // A full disk must not lock anyone out of a readable journal.
      log.warn({ error }, "Storing the demo's progress failed")
    }
  }
  const start = (port: number): Promise<DemoBroker> => startDemoBroker({ anchor: memory.anchor, port, dollarsOnly: true, stateFile: join(folder, 'logins.json') })

  remember({})
  // Another program may have taken the port since.
  const broker = await start(memory.port).catch(() => start(0))
  remember({ port: broker.port })
  // Users who watch open positions see prices move; nothing else notices.
  broker.movePrices(pricesPerSecond)
  const cloud = createDemoCloud({ entry: cloudEntry, folder: join(folder, 'cloud'), log, startChild })
  const stopping = new AbortController()
  const stops = broker.walk
  const standAt = (index: number): void => {
    const stop = stops[index]
    if (stop !== undefined) broker.clock.set(stop.at)
  }
  /** After its last session the market goes by the computer's clock. Where exchanges are closed it stays open in the last minute before, so that the demo can be tried on a weekend. */
  const isOver = (): boolean => memory.walked >= stops.length
  const standNow = (): void => {
    if (isOver()) broker.clock.set(Math.max(broker.clock.now(), lastOpenTime(now())))
  }
  standAt(Math.max(0, memory.walked - 1))
  standNow()

  return {
    broker,
    cloud,
    brokerage: (redirectUri) => ({
      hosts: { authorize: broker.origins.consentUrl, token: broker.origins.tokenUrls, live: broker.origins.liveApi, demo: broker.origins.demoApi, reports: broker.origins.reports, quotes: broker.origins.quotes },
      application: { clientId: broker.clientId, clientSecret: broker.clientSecret },
      redirectUri,
    }),
    walk: (run, keep) => async (request, progress) => {
      const todo = stopsOf(request.trigger, memory.walked, stops.length)
      const receipts: SyncReceipt[] = []
      // A connection walks through all sessions again; any other run after the walk is of now alone.
      const isNow = isOver() && request.trigger !== 'connect'
      for (const [index, stop] of todo.entries()) {
        if (isNow) standNow()
        else standAt(stop)
        const receipt = await run(request, (step) => progress(progressOfWalk(step, index, todo.length)))
        receipts.push(receipt)
        // The clock must not run ahead of what could not be fetched.
        if (receipt.outcome === 'failed' || stopping.signal.aborted) break
        remember({ walked: stop + 1 })
      }
      const [first, ...others] = receipts
      if (first === undefined) throw new Error('The demo brokerage has no sessions')
      const receipt = joinReceipts([first, ...others])
      if (others.length > 0) await keep(receipt)
      return receipt
    },
    trade: ({ account, product, side, qty }) => {
      standNow()
      return broker.trade({ account: Number(account.split(':').at(-1)), product, action: side === 'buy' ? 'Buy' : 'Sell', qty })
    },
    async *prints(missing) {
      const from = missing.reduce((least, { spans }) => Math.min(least, spans[0]?.from ?? Infinity), Infinity)
      const tapes = await broker.tapes(Math.floor(from / 1000))
      for (const { contract, key, tickSize, spans } of missing) {
        for (const session of tapes.sessionsOf(contract, spans)) {
          // A session takes some ms, and the program has others to answer.
          await nextTurn()
          const { at, price, size } = tapes.printsOf(contract, session)
          yield { key, tickSize, at: at.slice(), price: price.slice(), size: size.slice() }
        }
      }
    },
    forget: async () => {
      await cloud.forget()
      memory = { ...memory, walked: 0 }
      standAt(0)
      // The next start uses recent sessions.
      await rm(file, { force: true })
    },
    stopsLeft: () => stops.length - memory.walked,
    stop: async () => {
      stopping.abort()
      await Promise.all([broker.stop(), cloud.stop()])
    },
  }
}
