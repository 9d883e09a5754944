import type { ReceivedJournal } from '#shared/api/journal-file.ts'
import type { JournalLine } from './journal-lines.ts'

type Holds = ReceivedJournal['holds']

const kinds: Readonly<Record<string, keyof Holds>> = { account: 'accounts', fill: 'fills', pair: 'pairs', trade: 'entered', finance: 'finances', picture: 'pictures' }
// Records that a user would not call an entry of the journal.
const silent: readonly string[] = ['profile', 'balance', 'spec', 'contract']

// An account's label is stored as a finance, but is not an entry of the books.
const isLabel = (line: JournalLine): boolean => 'entity' in line && line.entity === 'finance' && line.content.type !== 'expense' && line.content.type !== 'earning'

// What was removed travels too, so that it stays removed: the account of an undone import, a trade, an entry of the books.
const isGone = ({ content }: Extract<JournalLine, { entity: string }>): boolean => content === null || ('removedAt' in content && typeof content.removedAt === 'number')

type Edit = Extract<JournalLine, { entity: 'edit' }>['content']

const isAnnotated = ({ notes, tags, stop, screenshot, screenshot2, drawings, removedAt }: Edit): boolean =>
  (removedAt?.value ?? null) === null && ([notes, tags, screenshot, screenshot2, drawings].some((field) => (field?.value.length ?? 0) > 0) || (stop?.value ?? null) !== null)

// A hostile file could fill the memory with ids: beyond these, each annotated fill pair counts.
const mostAnnotated = 1_000_000

/** Counts annotated trades. Files hold the words of a trade once for each of its fill pairs, all of them before the fill pairs. */
const countingAnnotated = () => {
  const [pairs, trades] = [new Set<string>(), new Set<string>()]
  let beyond = 0
  return {
    edit: (id: string): void => {
      if (pairs.size < mostAnnotated) pairs.add(id)
      else beyond += 1
    },
    pair: (id: string, tradeId: string | null): void => {
      if (tradeId !== null && pairs.delete(id)) trades.add(tradeId)
    },
    count: (): number => pairs.size + trades.size + beyond,
  }
}

/** Counts what a journal file would show, line by line. */
export const countHolds = (): { readonly holds: Holds; readonly add: (line: JournalLine) => undefined } => {
  const holds: Holds = { accounts: 0, fills: 0, pairs: 0, entered: 0, annotated: 0, finances: 0, pictures: 0, imports: 0, other: 0 }
  const annotated = countingAnnotated()
  return {
    holds,
    add: (line) => {
      if ('entity' in line && line.entity === 'edit') {
        if (isAnnotated(line.content)) annotated.edit(line.id)
        holds.annotated = annotated.count()
        return
      }
      if ('entity' in line && line.entity === 'pair' && line.content !== null) {
        annotated.pair(line.id, line.content.tripId)
        holds.annotated = annotated.count()
      }
      if ('import' in line && line.import.undoneAt === null) holds.imports += 1
      if ('entity' in line && !silent.includes(line.entity) && !isLabel(line) && !isGone(line)) holds[kinds[line.entity] ?? 'other'] += 1
    },
  }
}
