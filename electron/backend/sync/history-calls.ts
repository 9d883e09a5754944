import type { AccountKey } from '#shared/fills/fill.ts'
import type { OfUser } from '../journal/journal-reads.ts'

/** What became of the offer to bring a login's history; `since` is a trading day, null where none was wanted. */
export type HistoryWish = { readonly loginId: string; readonly state: 'wanted' | 'stopped' | 'done' | 'declined' | 'refused'; readonly since: string | null }

/** Trading days of an account that were asked for, both ends included, and how many rows of each kind that added to the journal. */
export type HistoryWindow = {
  readonly account: AccountKey
  readonly from: string
  readonly to: string
  /** False where the user undid what it brought. */
  readonly stands: boolean
  readonly fills: number
  readonly pairs: number
  readonly trips: number
}

type OfWindow = OfUser & Pick<HistoryWindow, 'account' | 'from' | 'to'>

/** What can be asked of the history that was brought from the broker. */
export type HistoryReads = {
  /** A window whose import never came to its end is not among them. */
  readonly history: (input: OfUser) => { readonly wishes: HistoryWish[]; readonly windows: HistoryWindow[] }
}

/** What is noted of the history; `at` is UTC ms. */
export type HistoryWrites = {
  readonly saveHistoryWish: (input: OfUser & HistoryWish & { readonly at: number }) => void
  /** Notes a window before its import begins, so that both come to be at once: it counts once that import stands, and without one at once. */
  readonly noteHistoryWindow: (input: OfWindow & { readonly at: number; readonly importId: string | null }) => void
  /** Forgets windows of a login's accounts whose import the user undid: they are missing again. */
  readonly forgetUndoneHistory: (input: OfUser & { readonly loginId: string }) => void
  /** Keeps how many rows a window added, with those that came in one import with it. */
  readonly countHistoryWindow: (input: OfWindow & Pick<HistoryWindow, 'fills' | 'pairs' | 'trips'>) => void
}
