import type { AccountNamed, Reading, RefusedReading } from './reading.ts'

/** Gathers the refused rows of one file until it is known whose they are. */
export type RefusedRows = {
  readonly saw: (reading: Reading) => void
  readonly refused: (row: RefusedReading) => void
  /** What is settled so far; with `last` all of it. */
  readonly settled: (last: boolean) => readonly RefusedReading[]
}

// More rows that name nobody say no more than that: they are taken together by their contracts.
const mostNameless = 100

/** A row that names no account may be of any that its file names; in a file that names none it is of that of its neighbours. */
export const gatherRefused = (): RefusedRows => {
  const accounts = new Map<string, AccountNamed>()
  let nameless: RefusedReading[] = []
  let ready: RefusedReading[] = []
  let waiting: RefusedReading[] = []
  let last: RefusedReading['beside'] = []

  return {
    saw: (reading) => {
      const { name, id } = reading.account
      if (name !== null || id !== null) {
        accounts.set(JSON.stringify([name, id]), reading.account)
        return
      }
      if (reading.says !== 'pair') return
      const beside = [{ contract: reading.contract, fillId: reading.buy.fillId }]
      ready.push(...waiting.map((row) => ({ ...row, beside: [...row.beside, ...beside] })))
      waiting = []
      last = beside
    },
    refused: (row) => {
      if (row.account.name !== null || row.account.id !== null) ready.push(row)
      else if (row.kind === 'performance') waiting.push({ ...row, beside: last })
      else nameless.push(row)
    },
    settled: (isLast) => {
      const rows = isLast ? [...ready, ...waiting, ...ofAccounts(taken(nameless), [...accounts.values()])] : ready
      ready = []
      if (isLast) [waiting, nameless] = [[], []]
      return rows
    },
  }
}

const ofAccounts = (rows: readonly RefusedReading[], accounts: readonly AccountNamed[]): readonly RefusedReading[] =>
  accounts.length === 0 ? rows : accounts.flatMap((account) => rows.map((row) => ({ ...row, account })))

const taken = (rows: readonly RefusedReading[]): readonly RefusedReading[] => {
  if (rows.length <= mostNameless) return rows
  const first = rows[0]
  const contracts = new Set(rows.map(({ contract }) => contract))
  if (first === undefined) return []
  const any = { ...first, time: null, fillIds: [], orderId: null }
  return contracts.size > mostNameless || contracts.has(null) ? [{ ...any, contract: null }] : [...contracts].map((contract) => ({ ...any, contract }))
}
