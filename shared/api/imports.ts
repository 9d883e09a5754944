import { z } from 'zod'
import { factNames } from '#shared/imports/assembly.ts'
import { dateOrders, exportKinds } from '#shared/imports/export-kind.ts'
import { importFormat, wholeFormat } from '#shared/imports/mapped-format.ts'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { decimalText, done, identifier, isKeptAsItIs, moment, nameText } from './fields.ts'
import { otherFees } from './records.ts'
import type { Route } from './route.ts'

/** Uploads a file to import with `POST`, its name in the parameter `name`; the answer is `uploadAnswer`. */
export const uploadPath = '/api/imports/uploads'

/** The largest accepted file, in bytes. */
export const largestUpload = 512 * 1024 * 1024

/** The most files that may wait to be imported. */
export const mostUploads = 50

/** A file's name without its folders. It is only shown, never used as a path. */
export const uploadName = z
  .string()
  .max(1_000)
  .transform((name) => (name.split(/[/\\]/).at(-1) ?? '').trim().slice(-200))
  .refine((name) => name !== '' && isKeptAsItIs(name))

const uploadId = z.uuid()

/** An uploaded file that is not imported yet. */
export const upload = z.object({ id: uploadId, name: uploadName })
export type Upload = z.infer<typeof upload>

/** The answer to an upload; `prices`: it is a file of prices, which has its own calls. */
export const uploadAnswer = z.object({ success: z.literal(true), upload: upload.extend({ prices: z.boolean() }) })
export type SentUpload = z.infer<typeof uploadAnswer>['upload']

const count = z.number().int().nonnegative()
const changes = z.object({ added: count, changed: count, removed: count })
const kind = z.enum(exportKinds)
const accountName = nameText.refine(isKeptAsItIs)

/** Why a whole file is refused; in other files each row is checked separately. */
export const fileProblem = z.enum(['unknown-kind', 'other-report', 'missing-columns', 'not-text', 'empty', 'unreadable', 'failed-export', 'mostly-refused', 'too-many-accounts', 'mixed-dates', 'open-dates'])

/** Why a row is refused. */
export const rowProblem = z.enum(['missing', 'bad-number', 'unclear-number', 'unknown-scale', 'bad-time', 'no-day', 'bad-date', 'bad-side', 'off-tick', 'too-large', 'bad-currency', 'wrong-columns', 'broken-quotes', 'contradicts', 'not-together', 'negative-fee', 'rows-missing', 'unknown-symbol', 'repeated-id'])

/** A rejected row: its line, counted from 1 including the header, the column at fault (empty for the whole row), and the cell's text. */
export const refusedLine = z.object({ line: count, code: rowProblem, column: z.string(), value: z.string() })
export type RefusedLine = z.infer<typeof refusedLine>

/** The result of reading one file; `kind` and `problem` are never both null. */
export const readFile = z.object({
  name: z.string(),
  kind: kind.nullable(),
  problem: fileProblem.nullable(),
  /** The user's format that it was read by; null for a report that Fillbook knows. */
  format: z.string().nullable(),
  /** For `missing-columns`: the kind that the file appears to be, and the columns that it lacks. */
  lacks: z.object({ kind, columns: z.array(z.string()).readonly() }).nullable(),
  /** For `other-report`: the name of the report. */
  otherReport: z.string().nullable(),
  /** For `open-dates`: an ambiguous date of the file. The user must choose the date order. */
  openDate: z.object({ text: z.string(), mdy: z.string(), dmy: z.string() }).nullable(),
  rows: count,
  accepted: count,
  refused: count,
  /** The first rejected rows, at most 500. */
  refusedLines: z.array(refusedLine),
  /** Whether its times are local to a time zone that it does not name. */
  needsZone: z.boolean(),
})
export type ReadFile = z.infer<typeof readFile>

/** Rows by file and line; an empty file name means the broker's API. */
const places = z.array(z.object({ file: z.string(), line: count.nullable() })).readonly()

/** What the user should know of an import. */
export const importWarning = z.union([
  z.object({ code: z.literal('account-unnamed'), account: z.string(), rows: count }),
  z.object({ code: z.enum(['unknown-contract', 'value-unclear', 'value-from-trades', 'partial-root', 'commission-unknown']), contracts: z.array(z.string()).readonly() }),
  z.object({ code: z.literal('value-differs'), values: z.array(z.object({ contract: z.string(), file: decimalText, table: decimalText, pairs: count })).readonly() }),
  z.object({ code: z.literal('commission-from-table'), fills: count, at: places, of: count }),
  z.object({ code: z.enum(['fees-unplaced', 'fees-differ', 'order-contradicts']), rows: count, at: places, of: count }),
  z.object({ code: z.literal('contradicting-rows'), rows: count, conflicts: z.array(z.object({ what: z.enum(['fill', 'order', 'pair', 'cash', 'balance']), id: z.string(), differs: z.array(z.enum(factNames)).readonly(), at: places })).readonly() }),
  z.object({ code: z.literal('zone-mismatch'), rows: count, at: places, shift: z.object({ files: z.array(z.string()).readonly(), minutes: z.number().int(), fits: z.string() }).nullable() }),
  z.object({ code: z.enum(['account-by-rows', 'accounts-mixed', 'account-overruled']), account: z.string(), files: z.array(z.string()).readonly() }),
  z.object({ code: z.literal('accounts-one-number'), accounts: z.array(z.string()).readonly(), number: z.string() }),
  /** Fills under a platform's ids, on days with fills from the broker that differ: they would be counted again. */
  z.object({ code: z.literal('beside-broker'), account: z.string(), rows: count }),
  z.object({ code: z.enum(['files-apart', 'dates-turned']), account: z.string(), rows: count, files: z.array(z.string()).readonly() }),
  /** Names that differ in case, spaces, or punctuation alone. */
  z.object({ code: z.literal('accounts-spelled'), accounts: z.array(z.string()).readonly() }),
  z.object({ code: z.literal('accounts-alike'), accounts: z.array(z.string()).readonly(), rows: count }),
  z.object({ code: z.literal('days-without-file'), account: z.string(), days: z.array(z.string()).readonly(), of: count }),
  z.object({ code: z.literal('accounts-apart'), files: z.array(z.string()).readonly() }),
])
export type ImportWarningShown = z.infer<typeof importWarning>

/** An account named in the files: an existing one, a removed one that is restored, or a new one. */
export const seenAccount = z.object({ name: z.string(), rows: count, state: z.enum(['known', 'removed', 'new']) })

const moneySums = z.object({ currency: z.string().length(3), grossPnl: decimalText, commission: decimalText, netPnl: decimalText, otherFees })

/** The result of an import together with the existing journal. */
export const importOutcome = z.object({
  /** How it changes the journal. */
  fills: changes,
  pairs: z.object({ added: count, removed: count }),
  trades: z.object({ added: count, removed: count }),
  /** Money of the added pairs, by currency. */
  money: z.array(moneySums),
  /** The files' accounts after the import, reconciled with the broker's figures. */
  checks: z.object({ pairsChecked: count, pairsEqual: count, daysEqual: count, daysDiffer: count, daysUnchecked: count }),
  /** Open positions of these accounts after the import. */
  open: z.array(z.object({ account: z.string(), contract: z.string(), side: z.enum(['long', 'short']), quantity: count })),
  /** Pairs of these accounts that are based on a missing fill, or on a position that disagrees with the files; on average prices of orders; or on an order of fills that nothing proves. */
  incomplete: count,
  approximate: count,
  ambiguous: count,
  /** True if the journal already has everything in the files. */
  known: z.boolean(),
  warnings: z.array(importWarning),
})
export type ImportOutcome = z.infer<typeof importOutcome>

const placing = z.object({ rows: count, placed: z.array(z.object({ name: z.string(), rows: count })), left: count })

/** What an import would do. */
export const importPreview = z.object({
  files: z.array(readFile),
  accounts: z.array(seenAccount),
  /** Rows without an account: those with known fills go to the fills' account, the others to the one that the user chooses. */
  unnamed: placing.extend({
    files: z.array(placing.extend({
      /** Index of the file among those sent, from 0. */
      place: count,
      /** How its account is known: by fill ids, by matching rows of that account, by the user, or not at all. */
      by: z.enum(['ids', 'rows', 'user', 'nothing']),
    })),
  }),
  /** Null if there is no preview: `too-many-rows` to assemble beforehand, or `figures-too-large`, which cannot be imported. */
  outcome: importOutcome.nullable(),
  without: z.enum(['too-many-rows', 'figures-too-large', 'nothing-read']).nullable(),
})
export type ImportPreviewAnswer = z.infer<typeof importPreview>

/** The result for one file of an import. */
const importedFile = z.object({ name: z.string(), kind, rows: count, accepted: count, refused: count })

/** An active or undone import. */
export const keptImport = z.object({
  id: identifier,
  at: moment,
  /** The time zone in which its local times were read. */
  zone: z.string(),
  undoneAt: moment.nullable(),
  /** Whether it is a backfill from the broker's reporting service. */
  fromBroker: z.boolean(),
  files: z.array(importedFile),
  /** The accounts named in its rows, and the one that the user chose for rows without one. */
  accounts: z.array(z.string()),
})
export type ImportShown = z.infer<typeof keptImport>

/** What an import or its undoing changed. */
export const settledCounts = z.object({ fills: changes, pairs: changes, trades: changes, offTick: count })
export type SettledCounts = z.infer<typeof settledCounts>

/** Progress of a preview or an import: reading files, then matching fills. `overall` is from 0 to 1 and never decreases; an import cannot be canceled once it is `matching`. */
export const importProgress = z.object({ work: z.uuid(), of: z.enum(['preview', 'import']), step: z.enum(['reading', 'matching']), overall: z.number().min(0).max(1) })
export type ImportProgress = z.infer<typeof importProgress>

const work = z.object({
  /** Chosen by the caller, to report its progress and to cancel it. */
  work: z.uuid(),
})
/** An uploaded file, with its own choices for the account of rows without one and for the date order. */
export const uploadToRead = upload.extend({ account: accountName.nullable().optional(), dates: z.enum(dateOrders).optional() })
export type UploadToRead = z.infer<typeof uploadToRead>

/** A column of an unknown file: some of its cells, and its different values if they are few. */
const seenColumn = z.object({ header: z.string(), cells: z.array(z.string()).readonly(), values: z.array(z.string()).readonly().nullable() })

const leg = z.object({ time: moment, price: decimalText })
/** A row as a format reads it: a fill, or a closed trade with its exit. */
export const mappedRow = z.object({
  line: count,
  account: z.string().nullable(),
  contract: z.string(),
  side: z.enum(['buy', 'sell']),
  quantity: count,
  ...leg.shape,
  exit: leg.nullable(),
  grossPnl: decimalText.nullable(),
  fees: decimalText.nullable(),
  tradingDay: z.string().nullable(),
})
export type MappedRow = z.infer<typeof mappedRow>

const importRequest = work.extend({
  uploads: z.array(uploadToRead).min(1).max(mostUploads),
  /** The IANA zone of local times in the files. */
  zone: z.string().max(100).refine(isTimeZone),
  /** The account for all other files' rows that name none and have no known fill. */
  account: accountName.nullable(),
})

/** Calls on imports of the broker's exported files. */
export const importRoutes = {
  /** Reads the files and writes nothing. `import-cancelled` if it was canceled. */
  previewImport: { method: 'POST', path: '/api/imports/preview', body: importRequest, answer: importPreview },
  /**
   * Imports the readable files and deletes the uploads. `imported` is null, and nothing changes, if no file is readable or
   * if `open` lists files (indexes from 0) without an account whose trades may belong to another account: the call then has
   * to name their account.
   */
  addImport: {
    method: 'POST',
    path: '/api/imports',
    body: importRequest,
    answer: z.object({ success: z.literal(true), imported: z.object({ id: identifier, settled: settledCounts }).nullable(), files: z.array(readFile), open: z.array(count) }),
  },
  /** Cancels a preview or an import; `cancelled` is false if it is too late. */
  cancelImport: { method: 'POST', path: '/api/imports/cancel', body: work, answer: z.object({ success: z.literal(true), canceled: z.boolean() }) },
  /** Deletes uploads that will not be imported. */
  dropUploads: { method: 'POST', path: '/api/imports/uploads/drop', body: z.object({ uploads: z.array(uploadId).max(mostUploads) }), answer: done },
  /** Looks at the columns of an unknown file, with the format that was saved for them or the one they most likely have. `invalid-request` if it has no columns. */
  inspectFile: { method: 'POST', path: '/api/imports/inspect', body: z.object({ upload: uploadId, name: uploadName }), answer: z.object({ columns: z.array(seenColumn), format: importFormat, saved: z.boolean() }) },
  /** Reads a file by a format and writes nothing: the first rows, and the symbols whose contracts are not known. */
  tryFormat: {
    method: 'POST',
    path: '/api/imports/try',
    body: z.object({ upload: uploadId, name: uploadName, format: wholeFormat, zone: z.string().max(100).refine(isTimeZone), dates: z.enum(dateOrders).optional() }),
    answer: z.object({ file: readFile, rows: z.array(mappedRow), symbols: z.array(z.string()) }),
  },
  /** The formats of the user's own files, by name; `id` is that of their headers. */
  importFormats: { method: 'GET', path: '/api/imports/formats', answer: z.object({ formats: z.array(z.object({ id: identifier, format: importFormat })) }) },
  /** Keeps a format in place of the one that files with this header had. */
  saveImportFormat: { method: 'POST', path: '/api/imports/formats', body: z.object({ format: wholeFormat }), answer: done },
  /** Deletes a format; rows that were read by it stay. */
  removeImportFormat: { method: 'POST', path: '/api/imports/formats/remove', body: z.object({ id: identifier }), answer: done },
  /** Undoes an import. */
  undoImport: { method: 'POST', path: '/api/imports/undo', body: z.object({ id: identifier }), answer: z.object({ success: z.literal(true), settled: settledCounts }) },
  /** Imports, newest first, and the running one. */
  imports: { method: 'GET', path: '/api/imports', answer: z.object({ imports: z.array(keptImport), running: importProgress.nullable() }) },
} as const satisfies Record<string, Route>
