import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import type { Log, LogFields } from '#shared/base/log.ts'
import type { Result } from '#shared/base/result.ts'
import type { LoginOfUser, TokenKeeper } from '../accounts/token-keeper.ts'
import type { Journal, JournalPorts } from '../journal/journal.ts'
import type { ReportFailure, ReportWish } from '../brokers/tradovate/reports.ts'
import type { RenewalOutcome, Tokens } from '../brokers/tradovate/tokens.ts'
import { answerCalls, callsOver } from './port-calls.ts'
import type { RunRequest } from './sync.ts'

/** What the sync thread is given at its start. `killAt` is for tests: the barrier at which the program kills itself. */
export type WorkerStart = { readonly journal: JournalPorts; readonly main: MessagePort; readonly killAt: string | undefined }

/** A report that is asked for with the tokens of a login. */
export type ReportOfLogin = LoginOfUser & ReportWish

/** What the thread can be asked. */
export type WorkerCalls = {
  readonly run: (request: RunRequest) => Promise<SyncReceipt>
  readonly keepAlive: (userId: string) => Promise<void>
  readonly forget: (loginId: string) => void
  readonly report: (wish: ReportOfLogin) => Promise<Result<string, ReportFailure>>
  readonly stop: (input: null) => Promise<void>
}

/** What the thread asks the main one, which alone knows secrets and the log. */
export type MainCalls = {
  readonly open: (login: LoginOfUser) => ReturnType<TokenKeeper['open']>
  readonly refresh: (input: LoginOfUser & { readonly refreshToken: string }) => Promise<RenewalOutcome>
  readonly replace: (input: LoginOfUser & { readonly replaced: string; readonly tokens: Tokens }) => Promise<void>
  readonly progress: (progress: SyncProgress) => void
  readonly log: (line: { readonly level: keyof Log; readonly fields: LogFields; readonly message: string }) => void
}

/** The names of both kinds of call, as they cross. */
export const workerCalls = ['run', 'keepAlive', 'forget', 'report', 'stop'] as const satisfies (keyof WorkerCalls)[]
export const mainCalls = ['open', 'refresh', 'replace', 'progress', 'log'] as const satisfies (keyof MainCalls)[]

/** The thread that fetches, parses and hands over to the journal's writer. */
export type SyncThread = {
  /** Makes one run; `progress` is told at most about ten times a second. Runs must not overlap: see `createRuns`. */
  readonly run: (request: RunRequest, progress: (progress: SyncProgress) => void) => Promise<SyncReceipt>
  /** Renews the tokens of a user's logins where that is due, and notes the logins that the broker refuses for good. */
  readonly keepAlive: (userId: string) => Promise<void>
  /** Drops what is known of a login, whose tokens were replaced or removed. */
  readonly forget: (loginId: string) => Promise<void>
  /** Asks the reporting service, beside whatever run is under way; the text is a file as a user exports it. */
  readonly report: (wish: ReportOfLogin) => Promise<Result<string, ReportFailure>>
  /** Gives up fetching, lets the running transaction end, keeps the receipt and ends the thread. */
  readonly stop: () => Promise<void>
}

/** What the thread works with. */
export type SyncThreadParts = { readonly journal: Journal; readonly keeper: TokenKeeper; readonly log: Log; /** Told where the thread dies. */ readonly broken?: () => void; readonly killAt?: string | undefined }

/** Starts the sync thread. */
export const startSyncThread = ({ journal, keeper, log, broken = () => undefined, killAt }: SyncThreadParts): SyncThread => {
  const { port1: here, port2: there } = new MessageChannel()
  const ports = journal.port()
  const start: WorkerStart = { journal: ports, main: there, killAt }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { name: 'sync', workerData: start, transferList: [there, ports.reader, ports.writer] })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', (error) => {
    log.error({ error }, 'The sync thread failed')
    broken()
  })

  const watching = new Map<string, (progress: SyncProgress) => void>()
  const answers: MainCalls = {
    open: (login) => keeper.open(login),
    refresh: ({ refreshToken, ...login }) => keeper.refresh(login, refreshToken),
    replace: ({ replaced, tokens, ...login }) => keeper.replace(login, replaced, tokens),
    progress: (progress) => watching.get(progress.runId)?.(progress),
    log: ({ level, fields, message }) => log[level](fields, message),
  }
  answerCalls(here, answers)
  const calls = callsOver<WorkerCalls>(worker, workerCalls)

  return {
    run: async (request, progress) => {
      watching.set(request.runId, progress)
      try {
        return await calls.run(request)
      } finally {
        watching.delete(request.runId)
      }
    },
    keepAlive: (userId) => calls.keepAlive(userId),
    forget: (loginId) => calls.forget(loginId),
    report: (wish) => calls.report(wish),
    stop: async () => {
      await calls.stop(null).catch(() => undefined)
      await exited
      here.close()
    },
  }
}
