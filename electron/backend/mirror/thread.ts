import type { Log } from '#shared/base/log.ts'
import type { Journal } from '../journal/journal.ts'
import { startThread, type Thread } from '../threads/start-thread.ts'
import type { MainCalls, MirrorCalls, MirrorData } from './worker.ts'

type Deps = {
  readonly journal: Journal
  readonly picturesFolder: string
  readonly answers: MainCalls
  readonly log: Log
  /** Told where the thread dies. */
  readonly broken?: () => void
}

/** Starts the thread that makes journals and their mirrors equal; `stop` gives up what is on its way, lets the running transaction end, and ends the thread. */
export const startMirrorThread = ({ journal, picturesFolder, answers, log, broken = () => undefined }: Deps): Thread<MirrorCalls>['calls'] => {
  const ports = journal.port()
  const { calls, watch } = startThread<MirrorCalls>(new URL('./worker.ts', import.meta.url), { name: 'mirror', data: { journal: ports, picturesFolder } satisfies MirrorData, transfer: [ports.reader, ports.writer], main: answers })
  watch(log, broken)
  return calls
}
