import { z } from 'zod'

/** The faults of `docs/reliability.md` in the order of their table, each by the name that a test states. */
export const faultRows = {
  'kill-sync': 'SIGKILL in a sync',
  'kill-import': 'SIGKILL in an import, an undo or while history is brought',
  'kill-mirror': 'SIGKILL while a journal is mirrored or brought back, on either side',
  'kill-migration': 'SIGKILL in a migration',
  'kill-copier': 'SIGKILL in the copier',
  'disk-full': 'Disk full',
  'folder-unwritable': 'A data folder that cannot be written to, as another user',
  'journal-damaged': 'A damaged journal',
  'journal-locked': 'A journal that another program locks',
  'journal-newer': 'A journal of a newer version',
  'clock-jumps': 'The clock jumps ahead and back',
  'daylight-saving': 'Clocks change for summer and winter',
  sleep: 'The computer sleeps',
  'brokerage-down': 'Brokerage down',
  'brokerage-slow': 'Brokerage slow, or asking for a pause',
  'brokerage-rubbish': 'Brokerage answering rubbish',
  'cloud-down': 'Cloud down',
  'cloud-slow': 'Cloud slow',
  'cloud-rubbish': 'Cloud answering rubbish',
  'identity-down': 'Identity down',
  'identity-slow': 'Identity slow',
  'identity-rubbish': 'Identity answering rubbish',
  'postgres-restart': 'PostgreSQL restarted under load',
} as const

/** The name of one row. */
export type FaultRow = keyof typeof faultRows

const count = z.int().nonnegative()

/** What a test counted of one row: how often the fault struck, rows that were lost and doubled behind it, and what the user was told. */
export const statedFault = z.strictObject({
  row: z.enum(Object.keys(faultRows) as [FaultRow, ...FaultRow[]]),
  tried: count,
  lost: count,
  doubled: count,
  sees: z.array(z.string().min(1)),
})

/** The same with the file of the test, below the project's root. */
export type ShownFault = z.infer<typeof statedFault> & { readonly file: string }

/** A finished row: the sums of all tests that stated it. */
export type FaultSum = Omit<ShownFault, 'file'> & { readonly files: readonly string[] }

const sumOf = (row: FaultRow, shown: readonly ShownFault[]): FaultSum => {
  const own = shown.filter((one) => one.row === row)
  const add = (pick: (one: ShownFault) => number): number => own.reduce((sum, one) => sum + pick(one), 0)
  return {
    row,
    tried: add(({ tried }) => tried),
    lost: add(({ lost }) => lost),
    doubled: add(({ doubled }) => doubled),
    sees: [...new Set(own.flatMap(({ sees }) => sees))],
    files: [...new Set(own.map(({ file }) => file))].toSorted(),
  }
}

/** Every row with the sums of those who stated it, whether anybody did or not. */
export const sumFaults = (shown: readonly ShownFault[]): FaultSum[] => (Object.keys(faultRows) as FaultRow[]).map((row) => sumOf(row, shown))

/** What a run has to be ashamed of, a line each; empty where every row was tried, says what its user sees, and lost and doubled nothing. */
export const faultShame = (sums: readonly FaultSum[]): string[] =>
  sums.flatMap(({ row, tried, lost, doubled, sees }) => [
    ...(tried === 0 ? [`${row} was not tried`] : []),
    ...(tried > 0 && sees.length === 0 ? [`${row} does not say what its user sees`] : []),
    ...(lost > 0 ? [`${row} lost ${String(lost)}`] : []),
    ...(doubled > 0 ? [`${row} doubled ${String(doubled)}`] : []),
  ])

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
const grouped = (value: number): string => value.toLocaleString('en-US')

/** The table as it stands in the document, with links from there to the tests. */
export const faultsTable = (sums: readonly FaultSum[]): string =>
  [
    '| fault | tried | lost | doubled | what the user sees | shown by |',
    '|---|--:|--:|--:|---|---|',
    ...sums.map(({ row, tried, lost, doubled, sees, files }) => {
      const links = files.map((file) => `[${file.split('/').at(-1)?.replace(/\.(test|long)\.ts$/, '') ?? file}](../${file})`)
      return `| ${faultRows[row]} | ${grouped(tried)} | ${grouped(lost)} | ${grouped(doubled)} | ${sees.map(cell).join('<br>')} | ${links.join(', ')} |`
    }),
  ].join('\n')

const [opening, closing] = ['<!-- faults -->\n', '<!-- /faults -->']

/** The document with this table between its marks; throws where it has none. */
export const withTable = (document: string, table: string): string => {
  const [from, to] = [document.indexOf(opening), document.indexOf(closing)]
  if (from < 0 || to < from) throw new Error('The document has no place for the table')
  return `${document.slice(0, from + opening.length)}${table}\n${document.slice(to)}`
}
