import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import { urgencyOf } from '#renderer/lib/urgency.ts'
import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { marketOf } from '#shared/market/micros.ts'

/** By what the open positions can be grouped. */
export const groupings = ['account', 'product', 'firm'] as const
export type Grouping = (typeof groupings)[number]

/** In what order accounts can stand: by name, or the one that is nearest to a limit first. */
export const orders = ['name', 'nearest'] as const
export type Order = (typeof orders)[number]

/** What is open in one currency: the sum of the figures that are known, how many are not, and the moment (UTC ms) of the oldest of them. */
export type OpenSum = { readonly currency: string; readonly amount: string; readonly unknown: number; readonly at: number | null }

/** One line of the scanner. Its id stays the same while what it shows moves. */
export type Line =
  | { readonly kind: 'product'; readonly id: string; readonly market: string; readonly exposure: PositionsLive['exposure'][number] | null; readonly positions: number; readonly open: readonly OpenSum[] }
  | { readonly kind: 'firm'; readonly id: string; readonly firm: string | null; readonly accounts: number; readonly positions: number; readonly open: readonly OpenSum[] }
  | { readonly kind: 'account'; readonly id: string; readonly account: LivePositionAccount }
  | { readonly kind: 'position'; readonly id: string; readonly position: LivePosition; readonly account: LivePositionAccount | null }
  | { readonly kind: 'flat'; readonly id: string; readonly accounts: number }
  | { readonly kind: 'flat-account'; readonly id: string; readonly account: LivePositionAccount }

const collator = new Intl.Collator('en', { numeric: true })

/** In which order names of accounts and contracts stand: a number in them counts as such. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other)

/** What positions have open, each currency by itself, in the order of their codes. */
export const openSums = (positions: readonly Pick<LivePosition, 'currency' | 'open'>[]): OpenSum[] =>
  [...Map.groupBy(positions, ({ currency }) => currency)]
    .map(([currency, rows]) => {
      const known = rows.flatMap(({ open }) => open ?? [])
      return { currency, amount: sumDecimals(known.map(({ amount }) => amount)), unknown: rows.length - known.length, at: known.length === 0 ? null : Math.min(...known.map(({ at }) => at)) }
    })
    .toSorted((one, other) => collator.compare(one.currency, other.currency))

const positionLine = (position: LivePosition, accounts: ReadonlyMap<string, LivePositionAccount>): Line => ({
  kind: 'position', id: `${position.account} ${position.contract}`, position, account: accounts.get(position.account) ?? null,
})

const accountLines = (account: LivePositionAccount, positions: readonly LivePosition[], accounts: ReadonlyMap<string, LivePositionAccount>): Line[] => [
  { kind: 'account', id: account.account, account },
  ...positions.map((position) => positionLine(position, accounts)),
]

// Only a whole tenth of a limit moves an account, so that lines do not change places under the pointer with every price.
const tenthOf = (account: LivePositionAccount | undefined): number => (account === undefined ? 0 : Math.floor(urgencyOf(account) * 10))

/** The lines of the scanner, accounts without positions below: by names in an order that prices do not move, or by tenths of the nearest limit, and by name within one. */
export const linesOf = ({ positions, accounts, exposure }: Pick<PositionsLive, 'positions' | 'accounts' | 'exposure'>, by: Grouping, order: Order = 'name'): Line[] => {
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
    // An account that is no longer reported hides none of its positions.
    ...(by === 'product' ? [] : sorted.filter(({ account }) => !byKey.has(account)).map((position) => positionLine(position, byKey))),
    ...(flat.length === 0 ? [] : [{ kind: 'flat', id: 'flat', accounts: flat.length } as const]),
    ...flat.map((account) => ({ kind: 'flat-account', id: account.account, account }) as const),
  ]
}

const productLines = (sorted: readonly LivePosition[], byKey: ReadonlyMap<string, LivePositionAccount>, exposure: PositionsLive['exposure']): Line[] =>
  [...Map.groupBy(sorted, ({ product }) => marketOf(product))]
    .toSorted(([one], [other]) => collator.compare(one, other))
    .flatMap(([market, rows]): Line[] => [
      { kind: 'product', id: `product ${market}`, market, exposure: exposure.find((one) => one.market === market) ?? null, positions: rows.length, open: openSums(rows) },
      ...rows.map((position) => positionLine(position, byKey)),
    ])

const firmLines = (holding: readonly LivePositionAccount[], held: ReadonlyMap<string, readonly LivePosition[]>, byKey: ReadonlyMap<string, LivePositionAccount>): Line[] =>
  [...Map.groupBy(holding, ({ firm }) => firm)]
    // Who belongs to no firm comes last.
    .toSorted(([one], [other]) => Number(one === null) - Number(other === null) || collator.compare(one ?? '', other ?? ''))
    .flatMap(([firm, accounts]): Line[] => {
      const rows = accounts.flatMap(({ account }) => held.get(account) ?? [])
      return [
        { kind: 'firm', id: `firm ${firm ?? ''}`, firm, accounts: accounts.length, positions: rows.length, open: openSums(rows) },
        ...accounts.flatMap((account) => accountLines(account, held.get(account.account) ?? [], byKey)),
      ]
    })
