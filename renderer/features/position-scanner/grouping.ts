import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import { urgencyOf } from '#renderer/lib/urgency.ts'
import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { marketOf } from '#shared/market/micros.ts'

/** How to group open positions. */
export const groupings = ['account', 'product', 'firm'] as const
export type Grouping = (typeof groupings)[number]

/** The order of accounts: by name, or nearest to a limit first. */
export const orders = ['name', 'nearest'] as const
export type Order = (typeof orders)[number]

/** Open P&L in one currency: the sum of the known figures, the number of unknown ones, and the time (UTC ms) of the oldest. */
export type OpenSum = { readonly currency: string; readonly amount: string; readonly unknown: number; readonly at: number | null }

/** One row of the scanner. Its id stays the same while its figures change. */
export type GroupLine =
  | { readonly kind: 'product'; readonly id: string; readonly market: string; readonly exposure: PositionsLive['exposure'][number] | null; readonly positions: number; readonly open: readonly OpenSum[] }
  | { readonly kind: 'firm'; readonly id: string; readonly firm: string | null; readonly accounts: number; readonly positions: number; readonly open: readonly OpenSum[] }
  | { readonly kind: 'account'; readonly id: string; readonly account: LivePositionAccount }
  | { readonly kind: 'position'; readonly id: string; readonly position: LivePosition; readonly account: LivePositionAccount | null }
  | { readonly kind: 'flat'; readonly id: string; readonly accounts: number }
  | { readonly kind: 'flat-account'; readonly id: string; readonly account: LivePositionAccount }

const collator = new Intl.Collator('en', { numeric: true })

/** Compares names of accounts and contracts, with numbers in them by value. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other)

/** The open P&L of positions by currency, sorted by code. */
export const openSums = (positions: readonly Pick<LivePosition, 'currency' | 'open'>[]): OpenSum[] =>
  [...Map.groupBy(positions, ({ currency }) => currency)]
    .map(([currency, rows]) => {
      const known = rows.flatMap(({ open }) => open ?? [])
      return { currency, amount: sumDecimals(known.map(({ amount }) => amount)), unknown: rows.length - known.length, at: known.length === 0 ? null : Math.min(...known.map(({ at }) => at)) }
    })
    .toSorted((one, other) => collator.compare(one.currency, other.currency))

const positionLine = (position: LivePosition, accounts: ReadonlyMap<string, LivePositionAccount>): GroupLine => ({
  kind: 'position', id: `${position.account} ${position.contract}`, position, account: accounts.get(position.account) ?? null,
})

const accountLines = (account: LivePositionAccount, positions: readonly LivePosition[], accounts: ReadonlyMap<string, LivePositionAccount>): GroupLine[] => [
  { kind: 'account', id: account.account, account },
  ...positions.map((position) => positionLine(position, accounts)),
]

// Accounts move only by whole tenths of a limit, so that rows do not swap under the pointer with every price.
const tenthOf = (account: LivePositionAccount | undefined): number => (account === undefined ? 0 : Math.floor(urgencyOf(account) * 10))

/** The rows of the scanner, flat accounts last: sorted by name, which prices do not change, or by tenths of the nearest limit, then by name. */
export const linesOf = ({ positions, accounts, exposure }: Pick<PositionsLive, 'positions' | 'accounts' | 'exposure'>, by: Grouping, order: Order = 'name'): GroupLine[] => {
  const byKey = new Map(accounts.map((account) => [account.account, account]))
  const nameOf = (key: string): string => byKey.get(key)?.name ?? key
  const compare = (one: string, other: string): number => (order === 'nearest' ? tenthOf(byKey.get(other)) - tenthOf(byKey.get(one)) : 0) || compareNames(nameOf(one), nameOf(other))
  const sorted = positions.toSorted((one, other) => compare(one.account, other.account) || compareNames(one.contract, other.contract))
  const held = Map.groupBy(sorted, ({ account }) => account)
  const named = accounts.toSorted((one, other) => compare(one.account, other.account))
  const holding = named.filter(({ account }) => held.has(account))
  const flat = named.filter(({ account }) => !held.has(account))
  return [
    ...(by === 'product' ? productLines(sorted, byKey, exposure) : by === 'firm' ? firmLines(holding, held, byKey) : holding.flatMap((account) => accountLines(account, held.get(account.account) ?? [], byKey))),
    // A position shows even if its account is not reported.
    ...(by === 'product' ? [] : sorted.filter(({ account }) => !byKey.has(account)).map((position) => positionLine(position, byKey))),
    ...(flat.length === 0 ? [] : [{ kind: 'flat', id: 'flat', accounts: flat.length } as const]),
    ...flat.map((account) => ({ kind: 'flat-account', id: account.account, account }) as const),
  ]
}

const productLines = (sorted: readonly LivePosition[], byKey: ReadonlyMap<string, LivePositionAccount>, exposure: PositionsLive['exposure']): GroupLine[] =>
  [...Map.groupBy(sorted, ({ product }) => marketOf(product))]
    .toSorted(([one], [other]) => collator.compare(one, other))
    .flatMap(([market, rows]): GroupLine[] => [
      { kind: 'product', id: `product ${market}`, market, exposure: exposure.find((one) => one.market === market) ?? null, positions: rows.length, open: openSums(rows) },
      ...rows.map((position) => positionLine(position, byKey)),
    ])

const firmLines = (holding: readonly LivePositionAccount[], held: ReadonlyMap<string, readonly LivePosition[]>, byKey: ReadonlyMap<string, LivePositionAccount>): GroupLine[] =>
  [...Map.groupBy(holding, ({ firm }) => firm)]
    // Accounts without a firm come last.
    .toSorted(([one], [other]) => Number(one === null) - Number(other === null) || collator.compare(one ?? '', other ?? ''))
    .flatMap(([firm, accounts]): GroupLine[] => {
      const rows = accounts.flatMap(({ account }) => held.get(account) ?? [])
      return [
        { kind: 'firm', id: `firm ${firm ?? ''}`, firm, accounts: accounts.length, positions: rows.length, open: openSums(rows) },
        ...accounts.flatMap((account) => accountLines(account, held.get(account.account) ?? [], byKey)),
      ]
    })
