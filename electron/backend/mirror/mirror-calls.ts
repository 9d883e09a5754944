import type { z } from 'zod'
import type { changedRecord } from '#shared/api/mirror.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'

/** What the cloud's journal held after the change `head`, by its own hashes. */
export type Proof = { readonly head: number; readonly hashes: string }

type OfUser = { readonly userId: string }
type At = { readonly at: number }

/** A record as the cloud gives it. */
export type ChangedRecord = z.infer<typeof changedRecord>

/** How far the mirror of a user's journal is. Times are UTC ms. */
export type MirrorPlace = {
  /** Whose journal in the cloud that is: the user's id there; null before they met. */
  readonly cloudUser: string | null
  /** The cloud's journal that this one is a copy of; null before they met. */
  readonly journal: string | null
  /** The last change of the cloud that is known here. */
  readonly cursor: number
  /** What the cloud held at the cursor, or where a page of it was the last that came, what it holds at the end; null where it did not tell. */
  readonly proof: Proof | null
  /** Records that the cloud was not told yet. */
  readonly waiting: number
  readonly waitingSince: number | null
  /** Records that no cloud takes as they are. */
  readonly setAside: number
  readonly lastSentAt: number | null
  /** True where the journal holds nothing of its user yet: no account, trade or finance. */
  readonly empty: boolean
}

/** What the mirror asks of the journal. */
export type MirrorReads = {
  readonly mirror: (input: OfUser) => MirrorPlace
  /** The next records to tell, those that wait longest first, as the JSON of an array of `MirrorRecord`: at most `limit`, and about 4 MB. `seqs` names what `mirrorSent` strikes off; with `after`, those behind that seq, so that the next batch can be read while one is under way. */
  readonly outgoing: (input: OfUser & { readonly limit: number; readonly after?: number }) => { readonly seqs: readonly number[]; readonly records: Uint8Array }
  /** Pictures that the journal knows. */
  readonly pictures: (input: OfUser) => { readonly name: string; readonly type: string; readonly bytes: number }[]
}

/** What the mirror tells the journal. */
export type MirrorWrites = {
  /** Strikes off what the cloud took; a record that changed meanwhile stays. `head` becomes the cursor, with what the cloud then holds. */
  readonly mirrorSent: (input: OfUser & At & { readonly seqs: readonly number[]; readonly journal: string; readonly head: number; readonly hashes?: string | null }) => void
  /**
   * Merges one page of the cloud's changes: fields and records by stamp (on a tie the cloud's stands), balances by age,
   * fills and figures by source, and derives what that changes. What stands better here is noted to be sent. A page of
   * pairs is compared with those derived here: equal ones are struck off the outbox. `cursor`, where given, is kept with
   * the page, and with it the proof of where the pages lead; where there is neither `journal` nor `cursor`, the place stays. Fills come in groups as by `takeFills`; broken off, the same page can be taken again.
   */
  readonly mirrorTaken: (input: OfUser & At & { readonly records: readonly ChangedRecord[]; readonly journal: string | null; readonly cursor: number | null; readonly proof?: Proof | null }) => Promise<void>
  /** Sets records aside that no cloud takes as they are, unless they changed behind `upTo`, a seq of `outgoing`. They are told again once they change. */
  readonly mirrorSetAside: (input: OfUser & { readonly records: readonly Pick<MirrorRecord, 'entity' | 'id'>[]; readonly upTo: number }) => void
  /** Notes that the cloud has to be told every record of these buckets, beside what waits already. */
  readonly mirrorApart: (input: OfUser & At & { readonly buckets: readonly number[] }) => void
  /** Begins anew with another journal of the cloud: everything is noted to be sent, nothing of it is known. */
  readonly mirrorAnew: (input: OfUser & At & { readonly journal: string | null }) => void
  /** Keeps whose journal in the cloud this one is a copy of. */
  readonly mirrorOf: (input: OfUser & { readonly cloudUser: string }) => void
  /** Lets the journal go to whichever account its user has in the cloud now, as new: what the one before held is not known any more. */
  readonly mirrorMoves: (input: OfUser & At) => void
  /** Knows a picture from now on; its file lies in the data folder already. */
  readonly addPicture: (input: OfUser & At & { readonly name: string; readonly type: string; readonly bytes: number }) => void
}
