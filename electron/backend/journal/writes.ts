import { setCopyOf } from '../accounts/copy-of.ts'
import { removeLogin, saveLogin, saveLoginStatus } from '../accounts/logins.ts'
import { saveAccounts, saveBalances } from '../accounts/queries.ts'
import { removeAccount } from '../finances/remove-account.ts'
import { changesSoFar, restoreJournal } from '../backups/restore-journal.ts'
import { atomically, type Writer } from '../db/database.ts'
import type { At, OfUser } from '../db/rows.ts'
import { saveContracts } from '../fills/contracts.ts'
import { saveEvidence } from '../fills/evidence.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { saveFills, addFill } from '../imports/save-fills.ts'
import type { WriteContext } from '../db/barrier.ts'
import { addFinance, removeFinance } from '../finances/queries.ts'
import { createProfile, endSession, endSessionsOf, ensureProfile, deleteExpired, hasProfile, issueKey, prolongSession, saveOauthState, saveSession, consumeOauthState, updateProfile } from '../identity/profiles.ts'
import { deleteUserAndVacuum } from '../db/delete-user.ts'
import { endSessionsBecause, enterFirebaseUser, updateFirebaseUser } from '../identity/queries.ts'
import { removeImportFormat, saveImportFormat } from '../imports/format-queries.ts'
import { addImportFile, addReadings, beginImport, deleteUnfinishedImport, deleteImportFile } from '../imports/queries.ts'
import { finishImport, settleWhereUnsettled, undoImport } from '../imports/settle-imports.ts'
import { endJournalFile, mergeJournalFile } from '../journal-file/merge-journal-file.ts'
import { addPicture, resetMirror, queueBuckets, resetCloudUser, saveCloudUser, recordPushed, setRecordsAside } from '../mirror/mirror-position.ts'
import { mergePulled } from '../mirror/merge-pulled.ts'
import { setDefaultStops } from '../own-data/default-stops.ts'
import { setCommission, setPointValue } from '../own-data/queries.ts'
import { dismissRematched } from '../own-data/rematched.ts'
import { saveStated } from '../reconciliation/stated-fills.ts'
import { saveRights } from '../plans/queries.ts'
import { addReport, failUnfinishedNarratives, saveNarrative, removeReport, setReportModel, setReportSchedule } from '../reports/queries.ts'
import { addAlerts, markAlertsSeen, setAlertSettings } from '../rules/alert-queries.ts'
import { recordBreach, setRules, setStage } from '../rules/queries.ts'
import { saveExtremes } from '../rules/session-extremes.ts'
import { countHistoryWindow, deleteUndoneHistory, recordHistoryWindow, saveHistoryRequest } from '../imports/history-queries.ts'
import { saveReceipt } from '../sync/run-queries.ts'
import { saveReadFees } from '../sync/read-fees.ts'
import { saveWorkedOrders } from '../sync/worked-orders.ts'
import { closeGap, clearMissing, recordMissing, recordFeesRead } from '../sync/session-reads.ts'
import { markCopied } from '../trades/copied-trades.ts'
import { setDayNote } from '../notes/day-notes.ts'
import { addTrade, removeTrade, removeTradesOfAccount, restorePair, savePairs, tagPairs, updateTrade } from '../trades/edit-trades.ts'
import { discardLeftOver, moveLeftOver } from '../trades/left-over.ts'
import { createKeyedMutex } from '../mutex.ts'
import { storeFault } from '../db/fault.ts'

/** Each of these is one transaction. */
const changes = {
  // Users and plans
  createProfile, ensureProfile, updateProfile, saveSession, prolongSession, issueKey, endSession, endSessionsOf, deleteExpired, saveOauthState, consumeOauthState,
  enterFirebaseUser, updateFirebaseUser, endSessionsBecause, saveRights,
  // Brokerages and sync
  saveLogin, saveLoginStatus, removeLogin, saveAccounts, saveBalances, removeAccount, setCopyOf, saveContracts, saveStated, saveReadFees, saveWorkedOrders, saveEvidence,
  saveReceipt, closeGap, clearMissing, recordMissing, recordFeesRead, saveHistoryRequest, recordHistoryWindow, countHistoryWindow, deleteUndoneHistory,
  // Trades, annotations, imports
  addTrade, updateTrade, savePairs, removeTrade, restorePair, removeTradesOfAccount, tagPairs, markCopied, addFinance, removeFinance,
  setDayNote, moveLeftOver, discardLeftOver, setDefaultStops, dismissRematched,
  beginImport, addReadings, addImportFile, deleteImportFile, deleteUnfinishedImport, saveImportFormat, removeImportFormat,
  // Rules, reports, the mirror
  setRules, setStage, recordBreach, saveExtremes, setAlertSettings, addAlerts, markAlertsSeen,
  addReport, removeReport, saveNarrative, failUnfinishedNarratives, setReportModel, setReportSchedule,
  recordPushed, setRecordsAside, resetMirror, queueBuckets, saveCloudUser, resetCloudUser, addPicture,
}

type Changes = typeof changes

type AtomicWrites = { readonly [Name in keyof Changes]: Changes[Name] extends (writer: Writer, ...input: infer Input) => infer Answer ? (...input: Input) => Answer : never }

/** Writes for users who are signing up or leaving. */
const ofAnybody: ReadonlySet<string> = new Set<keyof JournalWrites>(['saveSession', 'prolongSession', 'endSessionsOf', 'endSessionsBecause', 'deleteUser'])

/** Throws `no-profile` for a user without a profile: a call that is running while its user's account is deleted leaves nothing behind. */
const requireProfile = (writer: Writer, name: string, input: unknown): void => {
  const userId = typeof input === 'object' && input !== null && 'userId' in input ? input.userId : null
  if (typeof userId !== 'string' || ofAnybody.has(name)) return
  if (!hasProfile(writer, userId)) throw storeFault('no-profile', `Nothing is written for a user without a profile: ${name}`)
}

const atomicWrites = (writer: Writer): AtomicWrites => {
  const bound = Object.entries(changes).map(([name, make]) => {
    const making = make as (writer: Writer, input: unknown) => unknown
    return [
      name,
      (input: unknown) =>
        atomically(writer, () => {
          requireProfile(writer, name, input)
          return making(writer, input)
        }),
    ]
  })
  return Object.fromEntries(bound) as AtomicWrites
}

/** These open their own transactions, one per bounded group for large work. */
const groupedWrites = (context: WriteContext) => {
  const { writer } = context
  // Fills must not change while imports are being settled.
  const runExclusive = createKeyedMutex()
  const oneAtATimePerUser = <Input extends { readonly userId: string }, T>(work: (context: WriteContext, input: Input) => T | Promise<T>, name = '') => (input: Input): Promise<T> =>
    runExclusive(input.userId, async () => {
      requireProfile(writer, name, input)
      return work(context, input)
    })
  return {
    // Runs after running work, so that none of its groups follows.
    deleteUser: oneAtATimePerUser(({ writer }, input: OfUser) => deleteUserAndVacuum(writer, input), 'deleteUser'),
    saveFills: oneAtATimePerUser(saveFills), addFill: oneAtATimePerUser(addFill), mergePulled: oneAtATimePerUser(mergePulled),
    setCommission: oneAtATimePerUser(setCommission), setPointValue: oneAtATimePerUser(setPointValue),
    /** Derives again, in groups, what changes of labels and rates have marked. */
    deriveStale: oneAtATimePerUser((context, { userId, at }: OfUser & At) => deriveStale(context, userId, at)),
    finishImport: oneAtATimePerUser(finishImport), undoImport: oneAtATimePerUser(undoImport), settleImports: oneAtATimePerUser(settleWhereUnsettled),
    mergeJournalFile: oneAtATimePerUser(mergeJournalFile), endJournalFile: oneAtATimePerUser(endJournalFile), restoreJournal: oneAtATimePerUser(restoreJournal),
    changesSoFar: () => changesSoFar(writer),
  }
}

/** The journal's writes. Each call is atomic; those that work in groups are atomic group by group. */
export type JournalWrites = AtomicWrites & ReturnType<typeof groupedWrites>

/** The journal's writes over the writing connection. */
export const writesOf = (context: WriteContext): JournalWrites => ({ ...atomicWrites(context.writer), ...groupedWrites(context) })
