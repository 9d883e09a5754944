import { saveAccounts, saveBalances } from '../accounts/queries.ts'
import { addFill } from '../fills/add-fill.ts'
import { atomically, type Writer } from '../db/database.ts'
import { addTrade, removeTrade, removeTradesOfAccount, restoreTrade, updateTrade } from '../trades/edit-trades.ts'
import { addFinance, removeFinance } from '../finances/queries.ts'
import { endSessionsBecause, enterFirebaseUser, forgetForGood, tellFirebaseUser } from '../identity/queries.ts'
import { importTurns } from '../imports/import-turns.ts'
import { addImportFile, addReadings, beginImport, dropImport, dropImportFile } from '../imports/queries.ts'
import { createInTurn } from './in-turn.ts'
import { journalFileTurns } from '../journal-file/journal-file-turns.ts'
import type { JournalWrites } from './journal-writes.ts'
import { addPicture, mirrorAnew, mirrorApart, mirrorMoves, mirrorOf, mirrorSent, mirrorSetAside } from '../mirror/mirror-place.ts'
import { mirrorTaken } from '../mirror/mirror-taken.ts'
import { ownDataTurns, ownDataWrites } from '../own-data/queries.ts'
import type { Write } from './part.ts'
import { createProfile, endSession, endSessionsOf, ensureProfile, forgetExpired, giveKey, prolongSession, requireProfile, saveOauthState, saveSession, takeOauthState, updateProfile } from '../identity/profiles.ts'
import { removeAccount } from '../accounts/remove-account.ts'
import { keepRights } from '../plans/queries.ts'
import { syncWrites } from '../sync/sync-writes.ts'
import { takeFills, type Taking } from '../fills/take-fills.ts'

type Grouped = 'forgetUser' | 'setCommission' | 'setPointValue' | 'deriveStale' | 'takeFills' | 'addFill' | 'mirrorTaken' | 'finishImport' | 'undoImport' | 'settleImports' | 'mergeJournalFile' | 'endJournalFile' | 'restoreJournal' | 'changesSoFar'
type Whole = Exclude<keyof JournalWrites, Grouped>

const changes: { readonly [Name in Whole]: Write<Name> } = {
  ...{ createProfile, ensureProfile, updateProfile, saveSession, prolongSession, giveKey, endSession, endSessionsOf, forgetExpired, saveOauthState, takeOauthState },
  ...{ enterFirebaseUser, tellFirebaseUser, endSessionsBecause },
  ...{ saveAccounts, saveBalances, removeAccount, keepRights },
  ...{ addTrade, updateTrade, removeTrade, restoreTrade, removeTradesOfAccount, addFinance, removeFinance },
  ...ownDataWrites,
  ...{ beginImport, addReadings, addImportFile, dropImportFile, dropImport },
  ...syncWrites,
  ...{ mirrorSent, mirrorSetAside, mirrorAnew, mirrorApart, mirrorOf, mirrorMoves, addPicture },
}

/** The journal's changes over the writing connection: each one transaction, but for fills, which come in groups. */
export const writesOf = (taking: Taking): JournalWrites => {
  const { writer } = taking
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
  const { finishImport, undoImport, settleImports } = importTurns(taking)
  const { setCommission, setPointValue, deriveStale } = ownDataTurns(taking)
  const { mergeJournalFile, endJournalFile, restoreJournal, changesSoFar } = journalFileTurns(taking)
  // What is put together anew must not change under the hands that do it.
  const inTurn = createInTurn()
  const alone = <I extends { readonly userId: string }, T>(work: (input: I) => T | Promise<T>, name = '') => (input: I): Promise<T> =>
    inTurn(input.userId, async () => {
      requireProfile(writer, name, input)
      return work(input)
    })
  const grouped: Pick<JournalWrites, Grouped> = {
    // Behind what is under way, so that no group of it comes after.
    forgetUser: alone((input) => { forgetForGood(writer, input) }, 'forgetUser'),
    ...{ setCommission: alone(setCommission), setPointValue: alone(setPointValue), deriveStale: alone(deriveStale) },
    takeFills: alone((input) => takeFills(taking, input)),
    addFill: alone((input) => addFill(taking, input)),
    mirrorTaken: alone((input) => mirrorTaken(taking, input)),
    ...{ mergeJournalFile: alone(mergeJournalFile), endJournalFile: alone(endJournalFile), restoreJournal: alone(restoreJournal), changesSoFar },
    ...{ finishImport: alone(finishImport), undoImport: alone(undoImport), settleImports: alone(settleImports) },
  }
  return { ...(Object.fromEntries(bound) as Omit<JournalWrites, Grouped>), ...grouped }
}
