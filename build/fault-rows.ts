import { z } from 'zod'

/** The faults of `docs/reliability.md` in the order of their table, each by the name that tests use. */
export const faultRows = {
  'kill-sync': 'SIGKILL in a sync',
  'kill-import': 'SIGKILL in an import, an undo, or while history is fetched',
  'kill-mirror': 'SIGKILL while a journal is mirrored or restored from the cloud, on either side',
  'kill-migration': 'SIGKILL in a migration',
  'kill-copier': 'SIGKILL in the copier',
  'disk-full': 'Disk full',
  'folder-unwritable': 'A data folder that cannot be written to, as another user',
  'journal-damaged': 'A damaged journal',
  'journal-lost': 'A journal that is emptied, missing or without profiles, beside backups',
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

/**
 * A test's counts for one row: how often the fault struck, the rows compared with the same story without it, how many
 * of those were lost and doubled, what the user saw, and what the program reports about it if no one looked.
 */
export const statedFault = z.strictObject({
  row: z.enum(Object.keys(faultRows) as [FaultRow, ...FaultRow[]]),
  tried: count,
  lost: count,
  doubled: count,
  compared: count,
  sees: z.array(z.string().min(1)),
  says: z.array(z.string().min(1)),
})

/** The same with the file of the test, below the project's root. */
export type ShownFault = z.infer<typeof statedFault> & { readonly file: string }

/** A finished row: the sums over all its tests; `uncompared` are the files of tests that struck but compared nothing. */
export type FaultSum = Omit<ShownFault, 'file'> & { readonly files: readonly string[]; readonly uncompared: readonly string[] }

const sumOf = (row: FaultRow, shown: readonly ShownFault[]): FaultSum => {
  const own = shown.filter((one) => one.row === row)
  const add = (pick: (one: ShownFault) => number): number => own.reduce((sum, one) => sum + pick(one), 0)
  const filesOf = (some: readonly ShownFault[]): string[] => [...new Set(some.map(({ file }) => file))].toSorted()
  const sees = [...new Set(own.flatMap((one) => one.sees))]
  return {
    row,
    tried: add(({ tried }) => tried),
    lost: add(({ lost }) => lost),
    doubled: add(({ doubled }) => doubled),
    compared: add(({ compared }) => compared),
    sees,
    says: [...new Set(own.flatMap(({ says }) => says))].filter((text) => !sees.includes(text)),
    files: filesOf(own),
    uncompared: filesOf(own.filter(({ tried, compared }) => tried > 0 && compared === 0)),
  }
}

/** Every row with the sums of its tests, whether it has any or not. */
export const sumFaults = (shown: readonly ShownFault[]): FaultSum[] => (Object.keys(faultRows) as FaultRow[]).map((row) => sumOf(row, shown))

/** The failures of a run, one line each; empty if every row was tried, says what its user sees, was compared by every test that struck, and lost and doubled nothing. */
export const faultFailures = (sums: readonly FaultSum[]): string[] =>
  sums.flatMap(({ row, tried, lost, doubled, sees, says, uncompared }) => [
    ...(tried === 0 ? [`${row} was not tried`] : []),
    ...(tried > 0 && sees.length + says.length === 0 ? [`${row} does not say what its user sees`] : []),
    ...uncompared.map((file) => `${row} was never compared in ${file}`),
    ...(lost > 0 ? [`${row} lost ${String(lost)}`] : []),
    ...(doubled > 0 ? [`${row} doubled ${String(doubled)}`] : []),
  ])

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
const grouped = (value: number): string => value.toLocaleString('en-US')

const nameOf = (file: string): string => file.split('/').at(-1)?.replace(/\.(test|long)\.ts$/, '') ?? file
const linkTo = (file: string): string => `[${nameOf(file)}](../${file})`

/** The document's table, with links to the tests; what was not examined has a dagger, explained below it. */
export const faultsTable = (sums: readonly FaultSum[]): string =>
  [
    '| fault | tried | lost | doubled | what the user sees | shown by |',
    '|---|--:|--:|--:|---|---|',
    ...sums.map(({ row, tried, lost, doubled, sees, says, files }) => {
      // Sorted, because tests end in another order in every run.
      const texts = [...sees.map(cell).sort(), ...says.map((text) => `${cell(text)} †`).sort()]
      return `| ${faultRows[row]} | ${grouped(tried)} | ${grouped(lost)} | ${grouped(doubled)} | ${texts.join('<br>')} | ${files.map(linkTo).join(', ')} |`
    }),
    ...(sums.some(({ says }) => says.length > 0) ? ['', '† Stated, not observed: what the program has to say to it; nothing in that run asked for it.'] : []),
  ].join('\n')

/** How a run was made, on which day (YYYY-MM-DD) and in how many minutes. */
export type FaultRun = { readonly day: string; readonly minutes: number; readonly without: readonly string[] }

/** The sentence below the table: its command and date, its result, and which files were left out. */
export const faultsMade = (sums: readonly FaultSum[], { day, minutes, without }: FaultRun): string => {
  const command = ['npm run faults', ...(without.length === 0 ? [] : ['--', ...without.map((file) => `--without ${nameOf(file)}`)])].join(' ')
  const struck = sums.reduce((sum, { tried }) => sum + tried, 0)
  const leftOut = without.length === 0 ? '' : ` Left out of this run: ${without.map(linkTo).join(', ')}.`
  return `Made by \`${command}\` on ${day} in ${String(minutes)} min: ${grouped(struck)} faults, ${String(sums.length)} kinds.${leftOut}`
}

/** The files with these names, as the table names them; throws for an unknown name. */
export const filesNamed = (names: readonly string[], files: readonly string[]): string[] =>
  [...new Set(names)].flatMap((name) => {
    const found = files.filter((file) => nameOf(file) === name)
    if (found.length === 0) throw new Error(`${name} is no file of the set: ${files.map(nameOf).toSorted().join(', ')}`)
    return found
  })

const [opening, closing] = ['<!-- faults -->\n', '<!-- /faults -->']

/** The document with this table between its markers; throws if it has none. */
export const withTable = (document: string, table: string): string => {
  const [from, to] = [document.indexOf(opening), document.indexOf(closing)]
  if (from < 0 || to < from) throw new Error('The document has no place for the table')
  return `${document.slice(0, from + opening.length)}${table}\n${document.slice(to)}`
}
