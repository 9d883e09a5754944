import { z } from 'zod'
import { dateOrders } from '#shared/imports/date-order.ts'
import { factNames } from '#shared/imports/assembly.ts'
import { exportKinds } from '#shared/imports/export-kind.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { decimalText, identifier, isKeptAsItIs, moment, nameText } from './fields.ts'
import { otherFees } from './records.ts'
import type { Route } from './route.ts'

/** Where a file to import is sent, as it is: `POST` with its name as the parameter `name`; the answer is `uploadAnswer`. */
export const uploadPath = '/api/imports/uploads'

/** The largest file that is taken, in bytes. */
export const largestUpload = 512 * 1024 * 1024

/** How many files may wait to be imported. */
export const mostUploads = 50

/** The name of a file as its user knows it, without the folders before it: it is shown, and never used as a path. */
export const uploadName = z
  .string()
  .max(1_000)
  .transform((name) => (name.split(/[/\\]/).at(-1) ?? '').trim().slice(-200))
  .refine((name) => name !== '' && isKeptAsItIs(name))

const uploadId = z.uuid()

/** A file that was sent and is not imported yet. */
export const upload = z.object({ id: uploadId, name: uploadName })
export type Upload = z.infer<typeof upload>

/** What a file that was sent is answered with. */
export const uploadAnswer = z.object({ success: z.literal(true), upload })

const count = z.number().int().nonnegative()
const changes = z.object({ added: count, changed: count, removed: count })
const kind = z.enum(exportKinds)
const accountName = nameText.refine(isKeptAsItIs)

/** Why a file is refused whole; of the others each row is judged by itself. */
export const fileProblem = z.enum(['unknown-kind', 'missing-columns', 'not-text', 'empty', 'unreadable', 'failed-export', 'mostly-refused', 'too-many-accounts', 'mixed-dates', 'open-dates'])

/** Why a row is refused. */
export const rowProblem = z.enum(['missing', 'bad-number', 'unclear-number', 'bad-time', 'bad-date', 'bad-side', 'off-tick', 'too-large', 'bad-currency', 'wrong-columns', 'broken-quotes', 'contradicts', 'not-together', 'negative-fee'])

/** A row that is refused: its line, counted from 1 with the header, the column at fault (empty where it is the whole row), and what stood there. */
export const refusedLine = z.object({ line: count, code: rowProblem, column: z.string(), value: z.string() })
export type RefusedLine = z.infer<typeof refusedLine>

/** What became of reading one file; `kind` and `problem` are never both null. */
export const readFile = z.object({
  name: z.string(),
  kind: kind.nullable(),
  problem: fileProblem.nullable(),
  /** With `missing-columns` the kind that the file seems to be, and the columns that it lacks. */
  lacks: z.object({ kind, columns: z.array(z.string()).readonly() }).nullable(),
  /** With `open-dates` a date of the file that can be read in two ways: the user has to say which is meant. */
  openDate: z.object({ text: z.string(), mdy: z.string(), dmy: z.string() }).nullable(),
  rows: count,
  accepted: count,
  refused: count,
  /** The first of them, at most 500. */
  refusedLines: z.array(refusedLine),
  /** Whether its times are local to a zone that it does not name. */
  needsZone: z.boolean(),
})
export type ReadFile = z.infer<typeof readFile>

/** Rows by their files and lines; an empty file is the broker's API. */
const places = z.array(z.object({ file: z.string(), line: count.nullable() })).readonly()

/** What the user should know of an import. */
export const importWarning = z.union([
  z.object({ code: z.literal('account-unnamed'), account: z.string(), rows: count }),
  z.object({ code: z.enum(['unknown-contract', 'value-unclear', 'partial-root', 'commission-unknown']), contracts: z.array(z.string()).readonly() }),
  z.object({ code: z.literal('value-differs'), values: z.array(z.object({ contract: z.string(), file: decimalText, table: decimalText, pairs: count })).readonly() }),
  z.object({ code: z.literal('commission-from-table'), fills: count, at: places }),
  z.object({ code: z.enum(['fees-unplaced', 'fees-differ', 'order-contradicts']), rows: count, at: places }),
  z.object({ code: z.literal('contradicting-rows'), rows: count, told: z.array(z.object({ what: z.enum(['fill', 'order', 'pair', 'cash', 'balance']), id: z.string(), differs: z.array(z.enum(factNames)).readonly(), at: places })).readonly() }),
  z.object({ code: z.literal('zone-mismatch'), rows: count, at: places, shift: z.object({ files: z.array(z.string()).readonly(), minutes: z.number().int(), fits: z.string() }).nullable() }),
  z.object({ code: z.enum(['account-by-rows', 'accounts-mixed', 'account-overruled']), account: z.string(), files: z.array(z.string()).readonly() }),
  z.object({ code: z.literal('accounts-one-number'), accounts: z.array(z.string()).readonly(), number: z.string() }),
  z.object({ code: z.literal('accounts-alike'), accounts: z.array(z.string()).readonly(), rows: count }),
  z.object({ code: z.literal('accounts-apart'), files: z.array(z.string()).readonly() }),
])
export type ImportWarningShown = z.infer<typeof importWarning>

/** An account that files name: one that is in the journal, one that its user removed and that comes back, or a new one. */
export const seenAccount = z.object({ name: z.string(), rows: count, state: z.enum(['known', 'removed', 'new']) })

const moneySums = z.object({ currency: z.string().length(3), grossPnl: decimalText, commission: decimalText, netPnl: decimalText, otherFees })

/** What an import would come to, together with all that the journal holds. */
export const importOutcome = z.object({
  /** How it changes the journal. */
  fills: changes,
  pairs: z.object({ added: count, removed: count }),
  trips: z.object({ added: count, removed: count }),
  /** Of the pairs that are added, side by side by currency. */
  money: z.array(moneySums),
  /** Of the accounts that the files are of, as they would then stand, held against the broker's own figures. */
  checks: z.object({ pairsChecked: count, pairsEqual: count, daysEqual: count, daysDiffer: count, daysUnchecked: count }),
  /** Positions that these accounts then have open, by all that is known of them. */
  open: z.array(z.object({ account: z.string(), contract: z.string(), side: z.enum(['long', 'short']), quantity: count })),
  /** Pairs of these accounts that rest on a missing fill, or on a position that disagrees with what the files state; on averages of orders; on an order of fills that nothing shows. */
  incomplete: count,
  approximate: count,
  ambiguous: count,
  /** True where all that the files say is in the journal already. */
  known: z.boolean(),
  warnings: z.array(importWarning),
})
export type ImportOutcome = z.infer<typeof importOutcome>

const placing = z.object({ rows: count, placed: z.array(z.object({ name: z.string(), rows: count })), left: count })

/** What an import would do. */
export const importPreview = z.object({
  files: z.array(readFile),
  accounts: z.array(seenAccount),
  /** Rows that name no account: those whose fills are known go where these are, and the others where the user says. */
  unnamed: placing.extend({ files: z.array(placing.extend({ /** The number of the file among those that were sent, from 0. */ place: count, /** How it is known whose its rows are: by the ids of their fills, by other rows of that account that say the same, by the user, or not at all. */ by: z.enum(['ids', 'rows', 'user', 'nothing']) })) }),
  /** Null where it can only be told by importing: `too-many-rows` to put together beforehand. With `figures-too-large` nothing can be imported. */
  outcome: importOutcome.nullable(),
  without: z.enum(['too-many-rows', 'figures-too-large', 'nothing-read']).nullable(),
})
export type ImportPreviewAnswer = z.infer<typeof importPreview>

/** What became of one file of an import. */
const importedFile = z.object({ name: z.string(), kind, rows: count, accepted: count, refused: count })

/** An import that stands, or that was undone. */
export const keptImport = z.object({
  id: identifier,
  at: moment,
  /** In which its local times were read. */
  zone: z.string(),
  undoneAt: moment.nullable(),
  /** Whether it is history that the broker's reporting service gave. */
  fromBroker: z.boolean(),
  files: z.array(importedFile),
  /** The accounts that its rows name, and the one that the user said of rows that name none. */
  accounts: z.array(z.string()),
})
export type KeptImportShown = z.infer<typeof keptImport>

/** What an import or its undoing changed. */
export const settledCounts = z.object({ fills: changes, pairs: changes, trips: changes, offTick: count })
export type SettledCounts = z.infer<typeof settledCounts>

/** How far a preview or an import is: reading its files, then matching what they say. `overall` is from 0 to 1 and never goes back; from `matching` of an import on it can't be cancelled. */
export const importProgress = z.object({ work: z.uuid(), of: z.enum(['preview', 'import']), step: z.enum(['reading', 'matching']), overall: z.number().min(0).max(1) })
export type ImportProgress = z.infer<typeof importProgress>

const work = z.object({
  /** Named by the caller, so that its progress can be told and it can be cancelled. */
  work: z.uuid(),
})
/** A file that was sent, with whose its rows are that name no account, and how its dates begin, where that is said of it alone. */
export const uploadToRead = upload.extend({ account: accountName.nullable().optional(), dates: z.enum(dateOrders).optional() })
export type UploadToRead = z.infer<typeof uploadToRead>

const wishes = work.extend({
  uploads: z.array(uploadToRead).min(1).max(mostUploads),
  /** The IANA zone of local times in the files. */
  zone: z.string().max(100).refine(isTimeZone),
  /** Whose the rows of all other files are that name no account and tell of no fill that is known. */
  account: accountName.nullable(),
})
const done = z.object({ success: z.literal(true) })

/** Files that the broker exported, and what of them is in the journal. */
export const importRoutes = {
  /** Reads the files and writes nothing. `import-cancelled` where it was cancelled. */
  previewImport: { method: 'POST', path: '/api/imports/preview', body: wishes, answer: importPreview },
  /**
   * Imports the files that can be read, and forgets the uploads. `imported` is null, and nothing changed, where none can, or
   * where `open` holds the numbers of files, from 0, that name no account, while there are others that their trades may be of:
   * the call has to say whose they are.
   */
  addImport: {
    method: 'POST',
    path: '/api/imports',
    body: wishes,
    answer: z.object({ success: z.literal(true), imported: z.object({ id: identifier, settled: settledCounts }).nullable(), files: z.array(readFile), open: z.array(count) }),
  },
  /** Ends a preview or an import before it stands; `cancelled` is false where that is not possible any more. */
  cancelImport: { method: 'POST', path: '/api/imports/cancel', body: work, answer: z.object({ success: z.literal(true), cancelled: z.boolean() }) },
  /** Forgets files that were sent and are not to be imported. */
  dropUploads: { method: 'POST', path: '/api/imports/uploads/drop', body: z.object({ uploads: z.array(uploadId).max(mostUploads) }), answer: done },
  /** Takes back what an import brought. */
  undoImport: { method: 'POST', path: '/api/imports/undo', body: z.object({ id: identifier }), answer: z.object({ success: z.literal(true), settled: settledCounts }) },
  /** The newest first, and the import that is under way. */
  imports: { method: 'GET', path: '/api/imports', answer: z.object({ imports: z.array(keptImport), running: importProgress.nullable() }) },
} as const satisfies Record<string, Route>
