import { sessionAt } from './chicago.ts'
import { booksOver, holdingKey, type Ledger, type OpenLedger, type PairedFills, type PositionState } from './ledger.ts'
import { carriedPositionId, positionKey, type Execution, type World } from './world.ts'

/** What one execution did to its account's books. */
export type Entered = {
  readonly closed: readonly PairedFills[]
  readonly position: PositionState
  /** Whether its position row is new in this session. */
  readonly opened: boolean
}

/** The books of a world that goes on: what was traded before, and what is traded live. */
export type FloorBooks = {
  /** The world with everything that was traded live. */
  readonly world: World
  /** The books at the market's clock. */
  readonly ledger: () => Ledger
  /** Grows whenever somebody said that something changed. */
  readonly version: () => number
  readonly changed: () => void
  /** Enters an execution of this moment. */
  readonly add: (fill: Execution) => Entered
  /** Takes an execution back from now on; the execution as it reads then, or null where there is none that stands. */
  readonly bust: (fillId: number) => Execution | null
  /** The newest position of an account in a contract, or undefined where it never had one. */
  readonly holding: (accountId: number, contractId: number) => PositionState | undefined
  /** The id of a position's row in a session. */
  readonly positionId: (position: PositionState, session: string) => number
}

/** Opens the books of a world at its clock; `nextId` gives ids to positions. */
export const openBooks = (past: World, now: () => number, nextId: () => number): FloorBooks => {
  let traded: { readonly executions: Execution[]; readonly positionIds: Map<string, number> } | null = null
  // With the first look: a past may have to be worked out for it.
  const all = () => (traded ??= { executions: [...past.executions], positionIds: new Map(past.positionIds) })
  let kept: { readonly at: number; readonly ledger: OpenLedger } | null = null
  let version = 0

  const open = (): OpenLedger => {
    if (kept?.at !== now()) kept = { at: now(), ledger: booksOver(all().executions, now()) }
    return kept.ledger
  }
  const holding = (accountId: number, contractId: number): PositionState | undefined => open().books.newest.get(holdingKey(accountId, contractId))

  /** Gives the position an id, unless it has one; whether no row of it was shown in this session before. */
  const namePosition = ({ session, accountId, contract }: Execution): boolean => {
    const { positionIds } = all()
    const key = positionKey(session, accountId, contract.id)
    const before = holding(accountId, contract.id)
    const carried = before !== undefined && before.session !== session && before.net.qty !== 0
    if (!positionIds.has(key)) positionIds.set(key, carried ? carriedPositionId(before.last) : nextId())
    return !carried && before?.session !== session
  }

  return {
    world: {
      logins: past.logins, accounts: past.accounts, sessions: past.sessions, walk: past.walk, mark: past.mark,
      get orders() { return past.orders },
      get executions() { return all().executions },
      get positionIds() { return all().positionIds },
    },
    ledger: () => open().books,
    version: () => version,
    changed: () => void (version += 1),
    add: (fill) => {
      const { enter, books } = open()
      const opened = namePosition(fill)
      // Behind all of this moment, and before what the past still holds for a later one.
      const { executions } = all()
      const later = executions.findLastIndex(({ time }) => time <= fill.time) + 1
      executions.splice(later, 0, fill)
      const closed = enter(fill)
      const position = books.newest.get(holdingKey(fill.accountId, fill.contract.id))
      if (position === undefined) throw new Error(`Execution ${fill.id} left no position`)
      return { closed, position, opened }
    },
    bust: (fillId) => {
      const { executions } = all()
      const index = executions.findIndex(({ id, time, bustedAt }) => id === fillId && time <= now() && bustedAt === null)
      const fill = executions[index]
      if (fill === undefined || fill.session !== sessionAt(now())) return null
      const busted = { ...fill, bustedAt: now() }
      executions[index] = busted
      kept = null
      return busted
    },
    holding,
    positionId: (position, session) =>
      all().positionIds.get(positionKey(session, position.accountId, position.last.contract.id)) ?? carriedPositionId(position.last),
  }
}
