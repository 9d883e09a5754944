import type { Stopping } from '#shared/base/stops.ts'
import type { Writer } from '../db/database.ts'
import { fillsOfAccount, isSame } from '../fills/fill-rows.ts'
import type { FillChange } from '../fills/settle-group.ts'
import { ruledFills } from '../fills/told-fills.ts'
import type { PutTogether } from './put-together.ts'

/** What becomes of the fills that the journal holds, for it to hold those of accounts put together. */
export function* changingFills(writer: Writer, userId: string, { accounts }: PutTogether): Stopping<readonly FillChange[]> {
  const changes: FillChange[] = []
  for (const [account, { stands: standing, told }] of accounts) {
    const stands = standing()
    yield
    const rows = fillsOfAccount(writer, userId, account)
    yield
    const ruled = ruledFills(writer, userId, account)
    yield
    for (const id of new Set([...rows.keys(), ...stands.keys(), ...ruled.keys()])) {
      const [row, wanted, without] = [rows.get(id), stands.get(id), told.get(id)]
      const say = isSame(wanted, without) ? undefined : (without ?? null)
      const saysSame = say === undefined ? !ruled.has(id) : ruled.has(id) && isSame(ruled.get(id) ?? undefined, say ?? undefined)
      const standsSame = isSame(row, wanted)
      if (standsSame && saysSame) continue
      const contract = (wanted ?? row ?? without)?.contract ?? ''
      changes.push({ account, id, contract, stands: standsSame ? undefined : (wanted ?? null), told: say })
    }
    yield
  }
  return changes
}
