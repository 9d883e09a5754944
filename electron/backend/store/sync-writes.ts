import { saveContracts } from './contracts.ts'
import { countHistoryWindow, forgetUndoneHistory, noteHistoryWindow, saveHistoryWish } from './history.ts'
import { removeLogin, saveLogin, setLoginStatus } from './logins.ts'
import { closeGap } from './session-reads.ts'
import { saveReceipt } from './sync-runs.ts'

/** What fetching from the broker notes in the journal, beside what it brings. */
export const syncWrites = {
  ...{ saveLogin, setLoginStatus, removeLogin, saveContracts, saveReceipt, closeGap },
  ...{ saveHistoryWish, noteHistoryWindow, countHistoryWindow, forgetUndoneHistory },
}
