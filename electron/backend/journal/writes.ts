import { setCopyOf } from '../accounts/copy-of.ts'
import { removeLogin, saveLogin, setLoginStatus } from '../accounts/logins.ts'
import { saveAccounts, saveBalances } from '../accounts/queries.ts'
import { removeAccount } from '../accounts/remove-account.ts'
import { changesSoFar, restoreJournal } from '../backups/restore-journal.ts'
import { atomically, type Writer } from '../db/database.ts'
import type { At, OfUser } from '../db/rows.ts'
import { saveContracts } from '../fills/contracts.ts'
import { keepEvidence } from '../fills/keep-evidence.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import { takeFills, addFill } from '../fills/take-fills.ts'
import type { WriteContext } from '../db/barrier.ts'
import { addFinance, removeFinance } from '../finances/queries.ts'
import { createProfile, endSession, endSessionsOf, ensureProfile, forgetExpired, hasProfile, issueKey, prolongSession, saveOauthState, saveSession, takeOauthState, updateProfile } from '../identity/profiles.ts'
import { endSessionsBecause, enterFirebaseUser, deleteUser, updateFirebaseUser } from '../identity/queries.ts'
import { removeImportFormat, saveImportFormat } from '../imports/format-queries.ts'
import { addImportFile, addReadings, beginImport, dropImport, dropImportFile } from '../imports/queries.ts'
import { finishImport, settleWhereUnsettled, undoImport } from '../imports/settle-imports.ts'
import { endJournalFile, mergeJournalFile } from '../journal-file/take-journal-file.ts'
import { addPicture, resetMirror, queueBuckets, mirrorMoves, mirrorOf, mirrorSent, mirrorSetAside } from '../mirror/mirror-place.ts'
import { mirrorTaken } from '../mirror/mirror-taken.ts'
import { setDefaultStops } from '../own-data/default-stops.ts'
import { setCommission, setPointValue } from '../own-data/queries.ts'
import { dismissRematched } from '../own-data/rematched.ts'
import { saveStated } from '../reconciliation/stated-fills.ts'
import { keepRights } from '../plans/queries.ts'
import { addReport, failUnfinishedNarratives, saveNarrative, removeReport, setReportModel, setReportSchedule } from '../reports/queries.ts'
import { addAlerts, markAlertsSeen, setAlertSettings } from '../rules/alert-queries.ts'
import { noteBreach, setRules, setStage } from '../rules/queries.ts'
import { keepExtremes } from '../rules/session-extremes.ts'
import { countHistoryWindow, forgetUndoneHistory, noteHistoryWindow, saveHistoryRequest } from '../sync/history-queries.ts'
import { saveReceipt } from '../sync/run-queries.ts'
import { saveReadFees } from '../sync/read-fees.ts'
import { saveWorkedOrders } from '../sync/worked-orders.ts'
import { closeGap, forgetMissing, noteMissing, noteSettled } from '../sync/session-reads.ts'
import { markCopied } from '../trades/copied-trades.ts'
import { setDayNote } from '../trades/day-notes.ts'
import { addTrade, removeTrade, removeTradesOfAccount, restorePair, savePairs, tagPairs, updateTrade } from '../trades/edit-trades.ts'
import { discardLeftOver, moveLeftOver } from '../trades/left-over.ts'
import { createKeyedMutex } from '../mutex.ts'
import { storeFault } from '../db/fault.ts'

/** Each of these is one transaction. */
const changes = {
  // Users and plans
  createProfile, ensureProfile, updateProfile, saveSession, prolongSession, issueKey, endSession, endSessionsOf, forgetExpired, saveOauthState, takeOauthState,
  enterFirebaseUser, updateFirebaseUser, endSessionsBecause, keepRights,
  // Brokerages and sync
  saveLogin, setLoginStatus, removeLogin, saveAccounts, saveBalances, removeAccount, setCopyOf, saveContracts, saveStated, saveReadFees, saveWorkedOrders, keepEvidence,
  saveReceipt, closeGap, forgetMissing, noteMissing, noteSettled, saveHistoryRequest, noteHistoryWindow, countHistoryWindow, forgetUndoneHistory,
  // Trades, annotations, imports
  addTrade, updateTrade, savePairs, removeTrade, restorePair, removeTradesOfAccount, tagPairs, markCopied, addFinance, removeFinance,
  setDayNote, moveLeftOver, discardLeftOver, setDefaultStops, dismissRematched,
  beginImport, addReadings, addImportFile, dropImportFile, dropImport, saveImportFormat, removeImportFormat,
  // Rules, reports, the mirror
  setRules, setStage, noteBreach, keepExtremes, setAlertSettings, addAlerts, markAlertsSeen,
  addReport, removeReport, saveNarrative, failUnfinishedNarratives, setReportModel, setReportSchedule,
  mirrorSent, mirrorSetAside, resetMirror, queueBuckets, mirrorOf, mirrorMoves, addPicture,
}

type Changes = typeof changes

type AtomicWrites = { readonly [Name in keyof Changes]: Changes[Name] extends (writer: Writer, ...input: infer Input) => infer Answer ? (...input: Input) => Answer : never }

/** Writes for users who are signing up or leaving. */
const ofAnybody: ReadonlySet<string> = new Set<keyof JournalWrites>(['saveSession', 'prolongSession', 'endSessionsOf', 'endSessionsBecause', 'forgetUser'])

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
  const alone = <Input extends { readonly userId: string }, T>(work: (context: WriteContext, input: Input) => T | Promise<T>, name = '') => (input: Input): Promise<T> =>
    runExclusive(input.userId, async () => {
      requireProfile(writer, name, input)
      return work(context, input)
    })
  return {
    // Runs after running work, so that none of its groups follows.
    forgetUser: alone(({ writer }, input: OfUser) => deleteUser(writer, input), 'forgetUser'),
    takeFills: alone(takeFills), addFill: alone(addFill), mirrorTaken: alone(mirrorTaken),
    setCommission: alone(setCommission), setPointValue: alone(setPointValue),
    /** Derives again, in groups, what changes of labels and rates have marked. */
    deriveStale: alone((context, { userId, at }: OfUser & At) => deriveStale(context, userId, at)),
    finishImport: alone(finishImport), undoImport: alone(undoImport), settleImports: alone(settleWhereUnsettled),
    mergeJournalFile: alone(mergeJournalFile), endJournalFile: alone(endJournalFile), restoreJournal: alone(restoreJournal),
    changesSoFar: () => changesSoFar(writer),
  }
}

/** The journal's writes. Each call is atomic; those that work in groups are atomic group by group. */
export type JournalWrites = AtomicWrites & ReturnType<typeof groupedWrites>

/** The journal's writes over the writing connection. */
export const writesOf = (context: WriteContext): JournalWrites => ({ ...atomicWrites(context.writer), ...groupedWrites(context) })
