import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { isOwnAccount, isUnlabeled, type Finance } from '#shared/api/records.ts'

/** One account of the table: its finance says type, firm and balance, its connection how it is synced. */
export type AccountRow = {
  readonly finance: Finance
  /** Null for an account whose connection is not known. */
  readonly connection: ConnectedAccount | null
  /** The name of the account whose trades are copied here; null for none, and where that one is gone. */
  readonly leader: string | null
  /** For an account of NinjaTrader's database: the login at another broker that has it too, so that it counts twice; null if there is none. */
  readonly twin: { readonly platform: string; readonly login: string } | null
}

/** The kind of an account: an evaluation of a firm, or funded by it. */
export const accountTypes = ['Evaluation Account', 'Funded Account'] as const
export type AccountType = (typeof accountTypes)[number]

/** Whether an account came from a login and was not yet given a type and a firm. */
export const unlabeled = (finance: Finance): boolean => isUnlabeled(finance)

/** Whether a broker reported what an account holds: files and NinjaTrader’s database do not. */
export const balanceIsKnown = ({ connection }: AccountRow): boolean => connection === null || connection.balanceAt !== null

/** The finances that are accounts, each with its connection, in the order in which they are stored. */
export const accountRows = (finances: readonly Finance[], connections: readonly ConnectedAccount[]): AccountRow[] => {
  const byId = new Map(connections.map((connection) => [connection.id, connection]))
  return finances
    .filter((finance) => finance.type !== 'earning' && finance.type !== 'expense')
    .map((finance) => {
      const connection = byId.get(finance.id) ?? null
      const twin = connection === null || platformOf(connection.id) !== 'NinjaTrader' ? undefined : connections.find(({ id, name, loginName }) => name === connection.name && loginName !== '' && platformOf(id) !== 'NinjaTrader')
      return { finance, connection, leader: byId.get(connection?.copyOf ?? '')?.name ?? null, twin: twin === undefined ? null : { platform: platformOf(twin.id), login: twin.loginName } }
    })
}

/** The kinds that a label can say: the trader's own account is stored as funded by no firm. */
export const labelKinds = [...accountTypes, 'own'] as const

/** One of the two kinds of account on the summary cards: how many, and what they hold in each currency. */
export type KindSummary = { readonly count: number; readonly balances: readonly { readonly currency: string; readonly balance: number }[] }

/** Counts the accounts of one type, the trader's own aside, and sums their balances; currencies stand side by side, dollars where there is none. */
export const summaryOf = (rows: readonly AccountRow[], type: AccountType): KindSummary => {
  const ofType = rows.filter(({ finance }) => finance.type === type && !isOwnAccount(finance))
  const cents = new Map<string, number>()
  // Balances are numbers at the JSON edge only: they are summed as whole cents.
  for (const { finance } of ofType) cents.set(finance.currency, (cents.get(finance.currency) ?? 0) + Math.round(finance.balance * 100))
  const balances = [...cents].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, sum]) => ({ currency, balance: sum / 100 }))
  return { count: ofType.length, balances: balances.length === 0 ? [{ currency: 'USD', balance: 0 }] : balances }
}
