import { randomUUID } from 'node:crypto'
import { meantByLabel, type AccountFill, type FillPairRecord, type Finance, type NewFinance, type NewTrade, type TradeUpdates } from '#shared/api/records.ts'
import { ok } from '#shared/base/result.ts'
import type { logbookRoutes } from '#shared/api/journal.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import type { AnswerOf, BodyOf } from '#shared/api/route.ts'
import { filterOf } from '#shared/api/statistics.ts'
import type { Result } from '#shared/base/result.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import type { NotSaved } from './edit-trades.ts'

/** The screens' reads of the journal. */
export type JournalReading = Pick<JournalCalls['read'], 'tradesJson' | 'pairById' | 'pairPage' | 'tradePage' | 'tradeById' | 'tradePairs' | 'findNotes' | 'pairIdsOf' | 'statisticsJson' | 'comparison' | 'excursionPoints' | 'filterChoices' | 'tradesCsv' | 'finances' | 'bookedPayouts' | 'reconciliationJson' | 'reconciledDay'>

type Tagging = BodyOf<typeof logbookRoutes.tagPairs>
const taggedAtOnce = 500

type Deps = {
  readonly journal: JournalCalls
  readonly events: Events
  /** UTC ms. */
  readonly now: () => number
  /** Deletes the tokens of logins without accounts. */
  readonly sweepTokens: (userId: string) => Promise<void>
}

const accountRemoved = 'of an account that was removed: connect or import it again, or name another'
const figureProblem = { 'unreadable-price': 'a price has too many places', 'too-large': 'its profit, loss or commission is beyond 100,000,000' }

const notUpdated = (path: string, error: NotSaved): ReturnType<typeof refuse> => {
  if (error === 'no-room') return wrongField(path, 'no room beside the words that another page saved on this trade')
  if (error === 'account-removed') return wrongField(`${path}.accountId`, accountRemoved)
  if (error === 'exit-before-entry') return wrongField(`${path}.exitTime`, 'before entryTime')
  return error === 'unreadable-price' || error === 'too-large' ? wrongField(path, figureProblem[error]) : refuse(error)
}

/** The user's writes to the journal. Every open page of the user is notified. */
export type Records = ReturnType<typeof createRecords>

export const createRecords = ({ journal: { read, write }, events, now, sweepTokens }: Deps) => {
  const journalChanged = (userId: string): void => events.push(userId, { type: 'journal-changed' })
  const financesChanged = (userId: string): void => events.push(userId, { type: 'finances-changed' })
  const accountsChanged = (userId: string): void => {
    journalChanged(userId)
    financesChanged(userId)
  }

  return {
    /** Call it when accounts were added or removed in another way. */
    accountsChanged,
    addTrade: async (userId: string, trade: NewTrade): Promise<Result<FillPairRecord, Refused>> => {
      const added = await write.addTrade({ userId, trade, at: now() })
      if (!added.ok) {
        if (added.error === 'id-taken') return wrongField('trade.id', 'taken by another trade')
        if (added.error === 'account-removed') return wrongField('trade.accountId', accountRemoved)
        return added.error === 'exit-before-entry' ? wrongField('trade.exitTime', 'before entryTime') : wrongField('trade', figureProblem[added.error])
      }
      journalChanged(userId)
      return added
    },
    updateTrade: async (userId: string, id: string, updates: TradeUpdates): Promise<Result<FillPairRecord, Refused>> => {
      const updated = await write.updateTrade({ userId, id, updates, at: now() })
      if (!updated.ok) return notUpdated('updates', updated.error)
      journalChanged(userId)
      return updated
    },
    /** Saves a form's changes, field by field; a field that someone else also changed stays unchanged and is returned as a conflict. */
    savePairs: async (userId: string, edits: BodyOf<typeof logbookRoutes.savePairs>['edits']): Promise<Result<AnswerOf<typeof logbookRoutes.savePairs>, Refused>> => {
      const saved = await write.savePairs({ userId, edits, at: now() })
      if (!saved.ok) return notUpdated('edits', saved.error)
      journalChanged(userId)
      return ok({ pairs: [...saved.value.pairs], conflicts: [...saved.value.conflicts], kept: [...saved.value.kept] })
    },
    removeTrade: async (userId: string, id: string): Promise<Result<null, Refused>> => {
      if (!(await write.removeTrade({ userId, id, at: now() }))) return refuse('not-found')
      journalChanged(userId)
      return ok(null)
    },
    restorePair: async (userId: string, id: string): Promise<Result<null, Refused>> => {
      if (!(await write.restorePair({ userId, id, at: now() }))) return refuse('not-found')
      journalChanged(userId)
      return ok(null)
    },
    /** Tags fill pairs in groups, one transaction each; returns the ids that changed. */
    tagPairs: async (userId: string, { of, tag, change }: Tagging): Promise<readonly string[]> => {
      const ids = 'ids' in of ? of.ids : await read.pairIdsOf({ userId, unit: of.unit, filter: filterOf(of.filter), except: of.except })
      const changed: string[] = []
      for (let from = 0; from < ids.length; from += taggedAtOnce) changed.push(...(await write.tagPairs({ userId, at: now(), ids: ids.slice(from, from + taggedAtOnce), tag, change })))
      if (changed.length > 0) journalChanged(userId)
      return changed
    },
    removeTradesOfAccount: async (userId: string, accountId: string): Promise<void> => {
      await write.removeTradesOfAccount({ userId, accountId, at: now() })
      await sweepTokens(userId)
      accountsChanged(userId)
    },
    addFinance: async (userId: string, finance: NewFinance): Promise<Finance> => {
      const at = now()
      const id = finance.id ?? meantByLabel(await read.finances({ userId }), finance) ?? randomUUID()
      const added = await write.addFinance({ userId, finance: { ...finance, id }, at })
      financesChanged(userId)
      // Its firm's own rates may have changed what trades cost.
      if ((await write.deriveStale({ userId, at })).batches > 0) journalChanged(userId)
      return added
    },
    removeFinance: async (userId: string, id: string): Promise<Result<null, Refused>> => {
      if (!(await write.removeFinance({ userId, id, at: now() }))) return refuse('not-found')
      await sweepTokens(userId)
      accountsChanged(userId)
      return ok(null)
    },
    addFill: async (userId: string, fill: AccountFill): Promise<Result<null, Refused>> => {
      const taken = await write.addFill({ userId, fill, at: now() })
      if (!taken.ok) return taken.error === 'off-tick' ? wrongField('fill.price', "not on the contract's tick") : refuse(taken.error)
      journalChanged(userId)
      return ok(null)
    },
  }
}
