import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Sliced } from '#shared/base/sliced.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'
import { wholeIdOf, isBrokersId } from './fill-ids.ts'
import type { FileRows } from './file-rows.ts'
import { cannotBeOneAccount, fillsOfPair, sharedFillKey, unattributedGroups, placeholderNumbers, type UnattributedGroup, type UnattributedRow } from './unattributed.ts'
import type { AccountNamed, PairReading, Reading } from './reading.ts'
import { bestAgreement, factsKey, fillsBySecond, happensIn, momentsOf, type FillFacts, type Moment, type Moments } from './fill-facts.ts'

/** How the account of a row that names none is known: by its fills' ids, by the user, by matching rows of that account, or not at all. */
export type KnownBy = 'ids' | 'user' | 'rows' | 'nothing'

/** The account of rows that name none; `place` numbers unknown accounts from 0. */
export type RowAttribution = { readonly account: AccountKey | null; readonly by: KnownBy; readonly place: number }

/** An account and the files in question. */
export type AccountFiles = { readonly account: AccountKey; readonly files: readonly string[] }

/** The account of every row of all files. */
export type Attribution = {
  /** The attribution of a row that names no account; null if it names one. */
  readonly of: (file: FileRows, reading: Reading) => RowAttribution | null
  /** Files that the user assigned to one account and that cannot be of one. */
  readonly mixed: readonly AccountFiles[]
  /** Files that the user assigned to another account; their fills are known in this one by id. */
  readonly overruled: readonly AccountFiles[]
}

/** How accounts are resolved. */
export type Named = {
  /** The account that a row names; null if none. */
  readonly named: (account: AccountNamed) => AccountKey | null
  /** The account for a name given by the user. */
  readonly keyOfName: (name: string) => AccountKey
}

type AttributedGroup = { readonly group: UnattributedGroup; readonly attribution: RowAttribution }

/**
 * Attributes the rows that name no account. A file of pairs is of one account, and so are files that share a fill: the account in which one of their
 * fills is known; otherwise the one chosen by the user; otherwise the one with the same fills under other ids. Remaining groups that cannot be of one
 * account get separate placeholders.
 */
export function* attributing(files: readonly FileRows[], { named, keyOfName }: Named): Sliced<Attribution> {
  const rows: UnattributedRow[] = []
  for (const [file, { readings }] of files.entries()) for (const reading of readings) if (reading.says === 'pair' && named(reading.account) === null) rows.push({ file, pair: reading })
  const chosenAccounts = (places: Iterable<number>): ReadonlySet<AccountKey> => new Set([...places].flatMap((place) => files[place]?.accountGiven ?? []).map(keyOfName))
  const chosenAccountOf = (places: Iterable<number>): AccountKey | null => [...chosenAccounts(places)].toSorted(compareText)[0] ?? null
  const byUser = (account: AccountKey | null): RowAttribution => ({ account, by: account === null ? 'nothing' : 'user', place: 0 })
  const loose = groupsOfLooseFiles(files, named)
  const choiceOf = (place: number, behind = 0): RowAttribution => {
    const chosen = byUser(chosenAccountOf([place]))
    return chosen.account === null ? { ...chosen, place: behind + (loose.get(place) ?? 0) } : chosen
  }
  if (rows.length === 0) {
    const byFile = new Map(files.map((file, place) => [file, choiceOf(place)]))
    return { of: (file, reading) => (named(reading.account) === null ? (byFile.get(file) ?? byUser(null)) : null), mixed: [], overruled: [] }
  }
  yield
  const rowsOf = Map.groupBy(rows, ({ file }) => file)
  // Rows that share fills are of one account, even in a file of several.
  const partsOf = (group: UnattributedGroup): readonly UnattributedGroup[] => unattributedGroups([...group.files].flatMap((file) => rowsOf.get(file) ?? []), false)
  const whole = unattributedGroups(rows, true)
  yield
  const ownersOf = yield* ownersByIds(files, named, whole)
  const attributed: AttributedGroup[] = []
  const open: UnattributedGroup[] = []
  for (const group of whole) {
    const known = ownersOf(group)
    if (known.size === 1) for (const account of known) attributed.push({ group, attribution: { account, by: 'ids', place: 0 } })
    else if (known.size === 0) open.push(group)
    else {
      // A report is of one account: either two were joined in one file, or a row elsewhere names the wrong account. Both are a warning.
      for (const part of partsOf(group)) {
        const [account] = [...ownersOf(part)].toSorted(compareText)
        attributed.push({ group: part, attribution: account === undefined ? byUser(chosenAccountOf(group.files)) : { account, by: 'rows', place: 0 } })
      }
    }
    yield
  }
  const undecided: UnattributedGroup[] = []
  // Files that share fills but that the user assigned to different accounts: each keeps its own rows.
  for (const group of open.flatMap((one) => (chosenAccounts(one.files).size > 1 ? partsOf(one) : [one]))) {
    const account = chosenAccountOf(group.files)
    if (account === null) undecided.push(group)
    else attributed.push({ group, attribution: { account, by: 'user', place: 0 } })
  }
  if (undecided.length > 0) {
    const facts = accountsByFacts(undecided, rowsWithAccount(files, named, attributed), partsOf)
    yield
    const left = undecided.filter((group) => !facts.has(group))
    for (const claims of facts.values()) for (const { group, account } of claims) attributed.push({ group, attribution: { account, by: 'rows', place: 0 } })
    for (const [group, place] of placeholderNumbers(left)) attributed.push({ group, attribution: { account: null, by: 'nothing', place } })
  }
  // Files of orders or fills without an account come behind those of pairs.
  const places = attributed.reduce((most, { attribution: { by, place } }) => (by === 'nothing' ? Math.max(most, place + 1) : most), 0)
  const byChoice = new Map(files.map((file, place) => [file, choiceOf(place, loose.has(place) ? places : 0)]))
  const byFill = new Map<string, RowAttribution>()
  for (const { group, attribution } of attributed) for (const pair of group.pairs) for (const fill of fillsOfPair(pair)) byFill.set(fill, attribution)
  // A rejected row knows its fills by id only.
  const byId = new Map(attributed.flatMap(({ group, attribution }) => group.pairs.flatMap(({ contract, buy, sell }) => [buy, sell].map(({ fillId }) => [keyOf(contract, fillId), attribution] as const))))
  const attributionByFills = (reading: Reading): RowAttribution | undefined => {
    if (reading.says === 'pair') return byFill.get(fillsOfPair(reading)[0])
    return reading.says === 'refused' ? fillsBeside(reading).map((fill) => byId.get(fill)).find((attribution) => attribution !== undefined) : undefined
  }
  yield
  return {
    of: (file, reading) => (named(reading.account) !== null ? null : attributionByFills(reading) ?? byChoice.get(file) ?? byUser(null)),
    mixed: mixedOf(files, attributed),
    overruled: overruledOf(files, attributed, keyOfName),
  }
}

/** Files of orders or fills that name no account, by their place: those that share an order or a fill are of one account, all others may be of several. */
const groupsOfLooseFiles = (files: readonly FileRows[], named: Named['named']): ReadonlyMap<number, number> => {
  const idOf = (reading: Reading): string | null => (reading.says === 'order' ? reading.orderId : reading.says === 'fill' ? reading.fillId : null)
  const idsOf = ({ readings }: FileRows): readonly string[] => readings.flatMap((reading) => (named(reading.account) === null ? (idOf(reading) ?? []) : []))
  const firstId = (ids: ReadonlySet<string>): string => [...ids].sort()[0] ?? ''
  const loose = files
    .map((file, place) => ({ place, ids: new Set(idsOf(file)) }))
    .filter(({ ids }) => ids.size > 0)
    .toSorted((one, other) => compareText(firstId(one.ids), firstId(other.ids)))
  const groups: { readonly places: number[]; readonly ids: Set<string> }[] = []
  for (const { place, ids } of loose) {
    const [first, ...others] = groups.filter((group) => [...ids].some((id) => group.ids.has(id)))
    if (first === undefined) {
      groups.push({ places: [place], ids })
      continue
    }
    for (const joined of [...others, { places: [place], ids }]) {
      first.places.push(...joined.places)
      for (const id of joined.ids) first.ids.add(id)
    }
    for (const group of others) groups.splice(groups.indexOf(group), 1)
  }
  return new Map(groups.flatMap(({ places }, group) => places.map((place) => [place, group] as const)))
}

/** The fills that attribute a rejected row: its own, otherwise its neighbors'. */
const fillsBeside = ({ contract, fillIds, beside }: Extract<Reading, { says: 'refused' }>): readonly string[] => [
  ...(contract === null ? [] : fillIds.map((fillId) => keyOf(contract, fillId))),
  ...beside.map((one) => keyOf(one.contract, one.fillId)),
]

/** Rows that name an account, and pairs already attributed. */
function* rowsWithAccount(files: readonly FileRows[], named: Named['named'], attributed: readonly AttributedGroup[]): Generator<RowWithAccount> {
  for (const { group, attribution: { account } } of attributed) if (account !== null) for (const reading of group.pairs) yield { reading, account }
  for (const { readings } of files) {
    for (const reading of readings) {
      const account = named(reading.account)
      if (account !== null) yield { reading, account }
    }
  }
}

type OwnersOf = (group: { readonly pairs: readonly PairReading[] }) => ReadonlySet<AccountKey>

/** The accounts in which fills of ownerless pairs are known by id. */
function* ownersByIds(files: readonly FileRows[], named: Named['named'], groups: readonly UnattributedGroup[]): Sliced<OwnersOf> {
  const owners = new Map<string, AccountKey | null>(groups.flatMap(({ pairs }) => pairs.flatMap((pair) => fillsOfPair(pair).map((fill) => [fill, null] as const))))
  yield
  for (const { readings } of files) {
    for (const reading of readings) {
      const account = reading.says === 'fill' || reading.says === 'pair' ? named(reading.account) : null
      if (account === null) continue
      for (const fill of knownFills(reading)) {
        const known = owners.get(fill)
        // The choice must not depend on the order of files.
        if (known === null || (known !== undefined && account < known)) owners.set(fill, account)
      }
    }
    yield
  }
  return ({ pairs }) => new Set(pairs.flatMap((pair) => fillsOfPair(pair).flatMap((fill) => owners.get(fill) ?? [])))
}

const knownFills = (reading: Reading): readonly string[] => {
  if (reading.says === 'pair') return fillsOfPair(reading)
  if (reading.says !== 'fill') return []
  const { contract, side, fillId, price, tickSize } = reading
  const whole = wholeIdOf(fillId)
  return [fillId, ...(whole === null ? [] : [whole])].map((id) => sharedFillKey(contract, side, id, price, tickSize))
}

const mixedOf = (files: readonly FileRows[], attributed: readonly AttributedGroup[]): readonly AccountFiles[] => {
  const byAccount = Map.groupBy(attributed.filter(({ attribution }) => attribution.account !== null && attribution.by !== 'nothing'), ({ attribution }) => attribution.account)
  return [...byAccount].flatMap(([account, groups]) => {
    const against = groups.filter(({ group, attribution }) => attribution.by === 'user' && groups.some((other) => other.group !== group && cannotBeOneAccount(group, other.group)))
    const names = new Set(against.flatMap(({ group }) => [...group.files].flatMap((place) => files[place]?.name ?? [])))
    return account === null || names.size === 0 ? [] : [{ account, files: [...names].sort() }]
  })
}

const overruledOf = (files: readonly FileRows[], attributed: readonly AttributedGroup[], keyOfName: Named['keyOfName']): readonly AccountFiles[] => {
  const found = new Map<AccountKey, Set<string>>()
  for (const { group, attribution: { account, by } } of attributed) {
    if (account === null || by === 'user') continue
    for (const place of group.files) {
      const file = files[place]
      if (file !== undefined && file.accountGiven !== null && keyOfName(file.accountGiven) !== account) getOrInsert(found, account, () => new Set()).add(file.name)
    }
  }
  return [...found].map(([account, names]) => ({ account, files: [...names].sort() }))
}

/** A row that names its account. */
type RowWithAccount = { readonly reading: Reading; readonly account: AccountKey }

/** An account's rows that share no ids with pairs: orders, cash movements, and fills with a platform's own ids. */
type Traces = { readonly fills: FillFacts[]; readonly cash: Moment[] }

/** A group of pairs and its account. */
type Claim = { readonly group: UnattributedGroup; readonly account: AccountKey }

/**
 * The accounts whose orders, cash, or fills match each group of pairs by contract, side, price, and time, also under a constant zone shift. A group has
 * none if its fills fit two accounts, like a copier's; if the account has other broker fills at the time; or if another group that cannot be of that
 * account fits it too. A part that shares no fill with the rest, and fits another account completely and this one not at all, goes there: the
 * file joins two reports.
 */
const accountsByFacts = (groups: readonly UnattributedGroup[], owned: Iterable<RowWithAccount>, partsOf: (group: UnattributedGroup) => readonly UnattributedGroup[]): ReadonlyMap<UnattributedGroup, readonly Claim[]> => {
  const { traces, excluded } = tracesFor(groups, owned)
  const indexed = [...traces]
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([account, { fills, cash }]) => ({
      account,
      fills: momentsOf([...fills, ...fillsBySecond(fills)].map(momentOf)),
      cash: momentsOf(cash),
      times: { fills: fills.map(timeOf), cash: cash.map(timeOf) },
    }))
  const claims = new Map<UnattributedGroup, AccountKey>()
  const momentsIn = ({ pairs }: UnattributedGroup): { readonly fills: readonly Moment[]; readonly cash: readonly Moment[] } => ({ fills: fillsBySecond(fillsOfPairs(pairs)).map(momentOf), cash: pairs.map(cashMoment) })
  for (const group of groups) {
    const moments = momentsIn(group)
    const fitting = indexed
      .filter(({ account }) => excluded.get(group)?.has(account) !== true)
      .flatMap(({ account, fills, cash, times }) => {
        const matched = Math.max(agreeing(moments.fills, fills, times.fills, group), agreeing(moments.cash, cash, times.cash, group))
        return matched > 0 ? [{ account, matched }] : []
      })
      .toSorted((one, other) => other.matched - one.matched)
    const [best, next] = fitting
    if (best !== undefined && (next === undefined || next.matched * 2 <= best.matched)) claims.set(group, best.account)
  }
  /** How much of a part an account has: all, some, or nothing. */
  const shareOf = (part: UnattributedGroup, { fills, cash }: (typeof indexed)[number]): 'all' | 'some' | 'nothing' => {
    const moments = momentsIn(part)
    const shares = ([[moments.fills, fills], [moments.cash, cash]] as const).map(([own, known]) => ({ of: own.length, matched: own.filter((moment) => happensIn(moment, known)).length }))
    return shares.some(({ matched, of }) => of > 1 && matched === of) ? 'all' : shares.some(({ matched }) => matched > 0) ? 'some' : 'nothing'
  }
  const claimOf = (part: UnattributedGroup, account: AccountKey): Claim => {
    const shares = indexed.map((one) => ({ account: one.account, share: shareOf(part, one) }))
    const [stranger, another] = shares.filter((one) => one.account !== account && one.share === 'all')
    const isOwn = shares.some((one) => one.account === account && one.share !== 'nothing')
    return { group: part, account: isOwn || stranger === undefined || another !== undefined ? account : stranger.account }
  }
  const rivals = [...claims]
  return new Map(
    rivals
      .filter(([group, account]) => !rivals.some(([other, claimed]) => other !== group && claimed === account && cannotBeOneAccount(group, other)))
      .map(([group, account]) => {
        const parts = indexed.length > 1 ? partsOf(group) : []
        return [group, parts.length > 1 ? parts.map((part) => claimOf(part, account)) : [{ group, account }]]
      }),
  )
}

const momentOf = (facts: FillFacts): Moment => ({ key: factsKey(facts), time: facts.time })

const timeOf = ({ time }: { readonly time: number }): number => time

const cashMoment = ({ pnl, buy, sell }: PairReading): Moment => ({ key: String(pnl), time: Math.max(buy.time, sell.time) })

const fillsOfPairs = (pairs: readonly PairReading[]): readonly FillFacts[] =>
  pairs.flatMap(({ contract, qty, tickSize, buy, sell }) => [
    { contract, qty, tickSize, side: 'buy' as const, priceSum: buy.price * qty, time: buy.time },
    { contract, qty, tickSize, side: 'sell' as const, priceSum: sell.price * qty, time: sell.time },
  ])

/** The share of a group that an account has; 0 if less than half of the group or of the account's own trading in that time. */
const agreeing = (moments: readonly Moment[], known: Moments, times: readonly number[], { span }: UnattributedGroup): number => {
  if (known.size === 0 || moments.length === 0) return 0
  const { matched, of, shift } = bestAgreement(moments, known).best
  if (matched < Math.min(2, of)) return 0
  const part = matched / of
  if (part >= 0.5) return part
  const meanwhile = times.filter((time) => time - shift >= span.first && time - shift <= span.last).length
  return part * moments.length >= meanwhile / 2 ? part : 0
}

const tracesFor = (groups: readonly UnattributedGroup[], owned: Iterable<RowWithAccount>): { readonly traces: ReadonlyMap<AccountKey, Traces>; readonly excluded: ReadonlyMap<UnattributedGroup, ReadonlySet<AccountKey>> } => {
  const traces = new Map<AccountKey, Traces>()
  const excluded = new Map<UnattributedGroup, Set<AccountKey>>(groups.map((group) => [group, new Set()]))
  const of = (account: AccountKey): Traces => getOrInsert(traces, account, () => ({ fills: [], cash: [] }))
  const exclude = (account: AccountKey, contract: string, time: number): void => {
    for (const [group, accounts] of excluded) {
      const span = group.spans.get(contract)
      if (span !== undefined && time >= span.first && time <= span.last) accounts.add(account)
    }
  }
  for (const { reading, account } of owned) {
    switch (reading.says) {
      case 'order': {
        const { contract, side, qty, priceSum, tickSize, filledAt } = reading
        of(account).fills.push({ contract, side, qty, priceSum, tickSize, time: filledAt })
        break
      }
      case 'fill': {
        const { fillId, contract, side, qty, price, tickSize, time } = reading
        if (isBrokersId(fillId)) exclude(account, contract, time)
        else of(account).fills.push({ contract, side, qty, priceSum: price * qty, tickSize, time })
        break
      }
      case 'pair':
        exclude(account, reading.contract, reading.buy.time)
        exclude(account, reading.contract, reading.sell.time)
        break
      case 'cash':
        if (reading.movement === 'pair') of(account).cash.push({ key: String(reading.delta), time: reading.time })
        break
      default:
    }
  }
  return { traces, excluded }
}
