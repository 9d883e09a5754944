import { keepEvidence } from '../fills/keep-evidence.ts'
import { saveContracts } from '../fills/contracts.ts'
import { markCopied } from '../trades/copied-trades.ts'
import { countHistoryWindow, forgetUndoneHistory, noteHistoryWindow, saveHistoryWish } from './history-queries.ts'
import { removeLogin, saveLogin, setLoginStatus } from '../accounts/logins.ts'
import { closeGap, forgetMissing, noteLacking, noteSettled } from './session-reads.ts'
import { saveReceipt } from './run-queries.ts'

/** What fetching from the broker, and copying, note in the journal, beside what they bring. */
export const syncWrites = {
  ...{ saveLogin, setLoginStatus, removeLogin, saveContracts, saveReceipt, closeGap, forgetMissing, noteLacking, noteSettled, keepEvidence, markCopied },
  ...{ saveHistoryWish, noteHistoryWindow, countHistoryWindow, forgetUndoneHistory },
}
