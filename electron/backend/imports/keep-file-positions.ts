import type { AccountKey } from '#shared/fills/fill.ts'
import { query, type Writer } from '../db/database.ts'
import { keepEvidence } from '../fills/keep-evidence.ts'
import type { AssembledImports } from './assemble-imports.ts'
import type { Reach } from './reach.ts'

const statedSql = "SELECT account FROM known_positions WHERE user_id = @userId AND source = 'import' UNION SELECT account FROM missing_fills WHERE user_id = @userId AND source = 'import'"

/** Saves the positions and missing fills of the assembled accounts; what no active import has any more is deleted. Runs in the caller's transaction, after the fills. */
export const keepFilePositions = (writer: Writer, userId: string, at: number, { whole, reach }: { readonly whole: Pick<AssembledImports, 'assembly'>; readonly reach: Reach | null }): void => {
  const before = query<{ account: AccountKey }>(writer, statedSql).all({ userId }).map(({ account }) => account)
  const { positions, missing } = whole.assembly
  const [stated, lacking] = [Map.groupBy(positions, ({ account }) => account), Map.groupBy(missing, ({ account }) => account)]
  const isWithin = (account: AccountKey): boolean => reach === null || reach.within.accounts.has(account)
  for (const account of new Set([...before, ...stated.keys(), ...lacking.keys()])) {
    if (!isWithin(account)) continue
    const evidence = {
      positions: (stated.get(account) ?? []).map(({ contract, time, net }) => ({ contract, time, net })),
      missing: (lacking.get(account) ?? []).map(({ contract, time }) => ({ contract, time })),
    }
    keepEvidence(writer, { userId, at, account, source: 'import', from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, ...evidence })
  }
}
