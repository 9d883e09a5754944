import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { tokenCalls, type TokenKeeper } from '../accounts/token-keeper.ts'
import type { Journal } from '../journal/journal.ts'
import type { Client } from '../threads/rpc.ts'
import { startThread } from '../threads/start-thread.ts'
import type { RunRequest } from './sync.ts'
import type { MainCalls, SyncCalls, SyncData } from './worker.ts'

/** The thread that fetches, parses and hands over to the journal's writer. */
export type SyncThread = Omit<Client<SyncCalls>, 'run'> & {
  /** Makes one run; `progress` is called at most about ten times a second. Runs must not overlap: see `createRuns`. */
  readonly run: (request: RunRequest, progress: (progress: SyncProgress) => void) => Promise<SyncReceipt>
  /** Gives up fetching, lets the running transaction end, keeps the receipt and ends the thread. */
  readonly stop: () => Promise<void>
}

type Deps = { readonly journal: Journal; readonly keeper: TokenKeeper; readonly log: Log; /** The folder for copies of databases. */ readonly databases: string; /** Called with the state and the trades of live accounts. */ readonly live?: Pick<MainCalls, 'positions' | 'traded'>; /** Called if the thread dies. */ readonly broken?: () => void; readonly killAt?: string | undefined }

/** Starts the sync thread. */
export const startSyncThread = ({ journal, keeper, log, databases, live = { positions: () => undefined, traded: () => undefined }, broken = () => undefined, killAt }: Deps): SyncThread => {
  const ports = journal.port()
  const watching = new Map<string, (progress: SyncProgress) => void>()
  const main: MainCalls = { ...tokenCalls(keeper), ...live, progress: (progress) => watching.get(progress.runId)?.(progress) }
  const { calls, watch } = startThread<SyncCalls>(new URL('./worker.ts', import.meta.url), { name: 'sync', data: { journal: ports, databases, killAt } satisfies SyncData, transfer: [ports.reader, ports.writer], main })
  watch(log, broken)
  const { keepAlive, forget, watch: watchLive, positionsOf, bars, stopBars, report, stop } = calls
  return {
    ...{ keepAlive, forget, watch: watchLive, positionsOf, bars, stopBars, report, stop },
    run: async (request, progress) => {
      watching.set(request.runId, progress)
      try {
        return await calls.run(request)
      } finally {
        watching.delete(request.runId)
      }
    },
  }
}
