import { ok } from '#shared/base/result.ts'
import { ownCommissions, sayCommission } from './commissions.ts'
import { sayPointValue, uncertainProducts } from './point-values.ts'
import { setCopyOf } from '../accounts/copy-of.ts'
import { atomically } from '../db/database.ts'
import { discardLeftOver, leftOverNotes, moveLeftOver } from '../trades/left-over.ts'
import { dayNotes, setDayNote } from '../trades/day-notes.ts'
import { defaultStops, setDefaultStops } from './default-stops.ts'
import { dismissRematched, rematched } from './rematched.ts'
import type { JournalWrites } from '../journal/journal-writes.ts'
import { reportReads, reportWrites } from '../reports/report-parts.ts'
import { ruleReads, ruleWrites } from '../rules/rule-parts.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import type { Taking } from '../fills/take-fills.ts'

/** What the journal answers of what users say beside single trades, and of what was made of all of it. */
export const ownDataReads = { dayNotes, leftOverNotes, ownCommissions, uncertainProducts, defaultStops, rematched, ...ruleReads, ...reportReads }

/** What of it is kept in one transaction each. */
export const ownDataWrites = { setDayNote, moveLeftOver, discardLeftOver, setDefaultStops, setCopyOf, dismissRematched, ...ruleWrites, ...reportWrites }

/** The writes that derive trades again in groups; of one user's no two run at once. */
export const ownDataTurns = (taking: Taking): Pick<JournalWrites, 'setCommission' | 'setPointValue' | 'deriveStale'> => ({
  setPointValue: async (said) => {
    const kept = atomically(taking.writer, () => sayPointValue(taking.writer, said))
    if (!kept.ok) return kept
    const { pairs } = await deriveStale(taking, said.userId, said.at)
    return ok({ pairs: pairs.added + pairs.changed + pairs.removed })
  },
  setCommission: async (said) => {
    const kept = atomically(taking.writer, () => sayCommission(taking.writer, said))
    if (!kept.ok) return kept
    const { pairs } = await deriveStale(taking, said.userId, said.at)
    return ok({ pairs: pairs.added + pairs.changed + pairs.removed })
  },
  deriveStale: ({ userId, at }) => deriveStale(taking, userId, at),
})
