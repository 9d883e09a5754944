import type { Stopping } from '#shared/base/stops.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { compareText, type DoubtfulDays, type ImportWarning } from './assembly.ts'
import { attributing, type AccountFiles, type Named, type RowAttribution } from './attribute.ts'
import type { FileRows } from './file-rows.ts'
import { filesApart } from './files-apart.ts'
import type { Reading } from './reading.ts'
import { turnedDates } from './turned-dates.ts'
import { correctingTimes, type Dated, type ZoneShift } from './zone-shift.ts'

/** A row with corrected times and its account. */
export type SettledRow = {
  readonly reading: Reading
  readonly account: AccountKey
  /** How its account is known if it names none; null if it names one. */
  readonly attribution: RowAttribution | null
}

/** The rows of all files in order, and warnings about accounts and times. */
export type SettledFiles = { readonly files: readonly (readonly SettledRow[])[]; readonly warnings: readonly ImportWarning[]; readonly doubtful: readonly DoubtfulDays[] }

/** How accounts are resolved, and names for placeholder accounts, numbered from 0. */
export type Accounts = Named & { readonly placeholderFor: (place: number) => AccountKey; readonly nameOf: (account: AccountKey) => string; /** Accounts that are there beside those of the files. */ readonly others?: readonly AccountKey[] }

/** Attributes the rows of all files and corrects their times before assembly. The result depends neither on file order nor on duplicates. */
export function* settlingFiles(files: readonly FileRows[], accounts: Accounts): Stopping<SettledFiles> {
  const attribution = yield* attributing(files, accounts)
  const owned: (readonly SettledRow[])[] = []
  const dated: Dated[] = []
  const names = Map.groupBy(files, ({ name }) => name)
  for (const [place, file] of files.entries()) {
    const isOneOfMany = file.kind !== null && (names.get(file.name)?.length ?? 0) > 1
    const rows = file.readings.map((reading): SettledRow => {
      const own = attribution.of(file, reading)
      return { reading: ofFile(reading, file.name, place, isOneOfMany), attribution: own, account: own === null ? (accounts.named(reading.account) ?? accounts.placeholderFor(0)) : (own.account ?? accounts.placeholderFor(own.place)) }
    })
    owned.push(rows)
    for (const [account, own] of Map.groupBy(rows, (row) => row.account)) dated.push({ file, account, rows: own.map(({ reading }) => reading) })
    yield
  }
  const { rows: inTime, shifts } = yield* correctingTimes(dated)
  // Files that name no account may be of several, as long as nothing shows whose they are.
  const isAssumed = owned.filter((rows) => rows.some(({ attribution }) => attribution?.by === 'nothing')).length > 1
  const assumed = (row: SettledRow): SettledRow => (isAssumed && row.attribution?.by === 'nothing' && row.reading.says === 'pair' ? { ...row, reading: { ...row.reading, accountAssumed: true } } : row)
  const settled = shifts.length === 0 && !isAssumed ? owned : owned.map((rows) => rows.map((row) => assumed({ ...row, reading: inTime(row.reading) })))
  yield
  const apart = filesApart(files.flatMap(({ name, kind }, index) => (kind === null ? [] : [{ name, rows: settled[index] ?? [] }])), accounts.nameOf)
  return {
    files: settled,
    doubtful: apart.doubtful,
    warnings: [...apart.warnings, ...shiftWarnings(shifts), ...filesWarnings('accounts-mixed', attribution.mixed, accounts), ...filesWarnings('account-overruled', attribution.overruled, accounts), ...placeWarnings(files, owned, accounts), ...numberWarnings(files), ...turnedDates(files.map(({ name, zone }, index) => ({ name, zone, rows: owned[index] ?? [] })), accounts.nameOf), ...spellingWarnings(owned, accounts)],
  }
}

/** A reading with the name of its file; a closed trade, or a row of one of several files of that name, with its place among all files too. */
const ofFile = (reading: Reading, name: string, place: number, isOneOfMany: boolean): Reading => {
  if ((reading.says === 'pair' && reading.closing !== undefined) || (isOneOfMany && (reading.says === 'pair' || reading.says === 'fill'))) return { ...reading, file: name, ofFile: place }
  return (reading.says === 'position' || reading.says === 'refused' || reading.file === name ? reading : { ...reading, file: name })
}

const filesWarnings = (code: 'accounts-mixed' | 'account-overruled', found: readonly AccountFiles[], { nameOf }: Accounts): readonly ImportWarning[] =>
  found.map(({ account, files }) => ({ code, account: nameOf(account), files }))

const shiftWarnings = (shifts: readonly ZoneShift[]): readonly ImportWarning[] =>
  [...Map.groupBy(shifts, ({ minutes, fits }) => `${String(minutes)} ${fits}`)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, alike]) => {
      const [first] = alike
      const files = [...new Set(alike.map(({ file }) => file))].sort()
      return first === undefined ? [] : [{ code: 'zone-mismatch' as const, rows: alike.reduce((sum, { rows }) => sum + rows, 0), at: [], shift: { files, minutes: first.minutes, fits: first.fits } }]
    })

const numberWarnings = (files: readonly FileRows[]): readonly ImportWarning[] => {
  const names = new Map<string, Set<string>>()
  for (const { readings } of files) {
    for (const { says, account: { id, name } } of readings) {
      // A number in the name column is the same account.
      if (says === 'refused' || id === null || name === null || id === name) continue
      const known = names.get(id)
      if (known === undefined) names.set(id, new Set([name]))
      else known.add(name)
    }
  }
  return [...names].sort(([one], [other]) => compareText(one, other)).flatMap(([number, of]) => (of.size === 1 ? [] : [{ code: 'accounts-one-number' as const, number, accounts: [...of].sort() }]))
}

/** A name as it is meant, whatever its case, spaces, and dashes. */
const plainName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/[\s\p{P}]+/gu, '')

const spellingWarnings = (owned: readonly (readonly SettledRow[])[], { nameOf, others = [] }: Accounts): readonly ImportWarning[] => {
  const named = new Set(owned.flatMap((rows) => [...new Set(rows.map(({ account }) => account))]))
  return [...Map.groupBy(new Set([...named, ...others]), (account) => plainName(nameOf(account)))].sort(([one], [other]) => compareText(one, other)).flatMap(([plain, alike]) => {
    const names = [...new Set(alike.map(nameOf))].sort(compareText)
    return plain === '' || names.length === 1 || !alike.some((account) => named.has(account)) ? [] : [{ code: 'accounts-spelled' as const, accounts: names }]
  })
}

const placeWarnings = (files: readonly FileRows[], owned: readonly (readonly SettledRow[])[], { nameOf }: Accounts): readonly ImportWarning[] => {
  const found = new Map<AccountKey, Set<string>>()
  const apart = new Set<string>()
  let places = 0
  for (const [index, rows] of owned.entries()) {
    for (const { account, attribution } of rows) {
      const name = files[index]?.name ?? ''
      if (attribution?.by === 'rows') found.set(account, (found.get(account) ?? new Set()).add(name))
      if (attribution?.by === 'nothing') {
        apart.add(name)
        places = Math.max(places, attribution.place)
      }
    }
  }
  return [
    ...[...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([account, names]) => ({ code: 'account-by-rows' as const, account: nameOf(account), files: [...names].sort() })),
    ...(places === 0 ? [] : [{ code: 'accounts-apart' as const, files: [...apart].sort() }]),
  ]
}
