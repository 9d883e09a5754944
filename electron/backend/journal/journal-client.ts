import { storeFault } from '../db/fault.ts'
import { connect, type Waiting } from '../threads/rpc.ts'
import type { JournalCalls, JournalPorts } from './journal.ts'

/** What calls of a journal reject with that is closed. */
export const journalClosed = (): Error => storeFault('journal-closed', 'The journal is closed')

/** A journal that nobody waits for keeps no program alive. */
export const journalWaiting: Waiting = { closed: journalClosed, keepsAlive: false }

/** The journal's functions over ports that `Journal.port` gave, in whatever thread the ports were sent to. */
export const journalOver = ({ reader, writer }: JournalPorts): JournalCalls => ({ read: connect(reader, journalWaiting), write: connect(writer, journalWaiting) })
