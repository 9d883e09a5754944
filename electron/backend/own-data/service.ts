import type { LeftOverNote } from '#shared/api/left-over.ts'
import type { CommissionOf, DayNote, OwnCommission, OwnDefaultStop, UncertainProduct } from '#shared/api/own-data.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { PointValue } from '#shared/market/contract-spec.ts'
import { contractTable } from '#shared/market/contract-table.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Records } from '../trades/service.ts'

/** A day's changed fields; missing ones stay. */
export type DayNoteInput = { readonly tradingDay: string; readonly notes?: string | undefined; readonly tags?: readonly string[] | undefined }

/** A product's changed stop; null removes it. */
export type DefaultStopInput = Omit<OwnDefaultStop, 'distance'> & { readonly distance: string | null }

type OwnTable = { product: string; name: string; perSide: string | null; currency: string }[]

/** Dependencies; `now` is UTC ms. */
type Deps = { readonly journal: JournalCalls; readonly records: Pick<Records, 'accountsChanged'>; readonly now: () => number }

const table = (): OwnTable => contractTable.map(({ root, name, commission, currency }) => ({ product: root, name, perSide: commission, currency }))

/** The user's data beyond single trades. Every open page is notified of a change. */
export type OwnData = ReturnType<typeof createOwnData>

export const createOwnData = ({ journal: { read, write }, records: { accountsChanged }, now }: Deps) => ({
  dayNotes: (userId: string, range: { readonly from?: string | undefined; readonly to?: string | undefined }): Promise<DayNote[]> => read.dayNotes({ userId, ...range }),
  setDayNote: async (userId: string, input: DayNoteInput): Promise<DayNote> => {
    const day = await write.setDayNote({ userId, at: now(), ...input })
    accountsChanged(userId)
    return day
  },
  leftOverNotes: (userId: string, range: { readonly from?: string | undefined; readonly to?: string | undefined }): Promise<LeftOverNote[]> => read.leftOverNotes({ userId, ...range }),
  /** Returns what had no room on the fill pair; null if everything had. */
  moveLeftOver: async (userId: string, id: string, pairId: string): Promise<Result<LeftOverNote | null, Refused>> => {
    const moved = await write.moveLeftOver({ userId, at: now(), id, pairId })
    if (moved === null) return refuse('not-found')
    accountsChanged(userId)
    return ok(moved.left)
  },
  discardLeftOver: async (userId: string, id: string): Promise<Result<null, Refused>> => {
    if (!(await write.discardLeftOver({ userId, at: now(), id }))) return refuse('not-found')
    accountsChanged(userId)
    return ok(null)
  },
  commissions: async (userId: string): Promise<{ own: OwnCommission[]; table: OwnTable }> => ({ own: await read.ownCommissions({ userId }), table: table() }),
  /** Returns the number of changed pairs, after they are derived again. */
  setCommission: async (userId: string, input: { readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }): Promise<Result<number, Refused>> => {
    const set = await write.setCommission({ userId, at: now(), ...input })
    if (!set.ok) return set.error === 'too-precise' ? wrongField('perSide', 'more than four places') : refuse(set.error)
    accountsChanged(userId)
    return ok(set.value.pairs)
  },
  pointValues: (userId: string): Promise<UncertainProduct[]> => read.uncertainProducts({ userId }),
  /** Returns the number of changed pairs, after they are derived again. */
  setPointValue: async (userId: string, input: { readonly product: string; readonly pointValue: PointValue | null }): Promise<Result<number, Refused>> => {
    const set = await write.setPointValue({ userId, at: now(), ...input })
    if (!set.ok) return wrongField('pointValue.amount', 'too large, or too precise')
    accountsChanged(userId)
    return ok(set.value.pairs)
  },
  defaultStops: (userId: string): Promise<OwnDefaultStop[]> => read.defaultStops({ userId }),
  setDefaultStops: async (userId: string, stops: readonly DefaultStopInput[]): Promise<void> => {
    await write.setDefaultStops({ userId, at: now(), stops })
    accountsChanged(userId)
  },
  rematched: (userId: string): ReturnType<JournalCalls['read']['rematched']> => read.rematched({ userId }),
  dismissRematched: (userId: string): Promise<void> => write.dismissRematched({ userId }),
  setCopyOf: async (userId: string, account: string, leader: string | null): Promise<Result<null, Refused>> => {
    const set = await write.setCopyOf({ userId, at: now(), account, leader })
    if (set.ok) {
      accountsChanged(userId)
      return ok(null)
    }
    switch (set.error) {
      case 'not-found':
        return refuse('not-found')
      case 'unknown-leader':
        return wrongField('leaderId', 'no connected account')
      case 'leader-is-copy':
        return wrongField('leaderId', 'a copy itself')
      case 'copy-is-leader':
        return wrongField('accountId', 'the leader of another account')
      default:
        return assertNever(set.error)
    }
  },
})
