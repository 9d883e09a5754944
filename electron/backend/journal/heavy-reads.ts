import { storeFault } from '../db/fault.ts'
import type { Client } from '../threads/rpc.ts'
import type { JournalReads } from './reads.ts'

type Reads = Client<JournalReads>

/** A reading thread. */
export type ReadingThread = { readonly read: Reads; readonly close: () => Promise<void> }

// These settle all imports, or scan every trade, which takes seconds in a large journal.
const heavy: ReadonlySet<string> = new Set<keyof JournalReads>(['reconciliationJson', 'reconciledDay', 'previewImport', 'openFiles', 'brokerFacts', 'ruledAccounts', 'ruleDays', 'replayJson', 'readReportTrades', 'reportNotes'])

/**
 * The same reads, but heavy ones go to a thread of their own, so that lists and statistics never wait for them. `begin`
 * is called with the first of them, and again after a thread that died.
 */
export const apart = (read: Reads, begin: (broke: () => void) => Promise<ReadingThread>): ReadingThread => {
  let open = true
  let thread: Promise<ReadingThread> | null = null
  const begun = (): Promise<ReadingThread> => {
    if (thread !== null) return thread
    const forget = (): void => {
      if (thread === starting) thread = null
    }
    const starting = begin(forget)
    thread = starting
    starting.catch(forget)
    return starting
  }
  const ask = async (name: keyof Reads, input: unknown): Promise<unknown> => {
    if (!open) throw storeFault('journal-closed', 'The journal is closed')
    const { read: asked } = await begun()
    return (asked[name] as (input: unknown) => Promise<unknown>)(input)
  }
  const routed = new Proxy(read, { get: (all, name) => (typeof name === 'string' && heavy.has(name) ? (input: unknown) => ask(name as keyof Reads, input) : Reflect.get(all, name)) })
  return {
    read: routed,
    close: async () => {
      open = false
      const running = await thread?.catch(() => null)
      await running?.close()
    },
  }
}
