import type { CloseReport } from '#shared/api/positions.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import type { Log } from '#shared/base/log.ts'
import type { PlaceOutcome } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/timing.ts'
import { openOf } from './flatten.ts'
import { isCounted, isFollowed, leaderContractsOf, oursIn, recomputeTarget } from './followers.ts'
import type { Lines } from './lines-open.ts'
import { refusalText, type OrderGateway } from './order-gateway.ts'
import { contractsToFollow, leaderNetsOf } from './copy-and-repair.ts'
import { accountIn, hasUnnamed, isCurrent, lineOf, netOf, contractStateOf, type Account, type Follower, type Group, type ContractState, type World } from './world.ts'

/** How long to wait for a line, and for a whole close. */
const lineWaitMs = 30_000
const wholeMs = 60_000
/** How long after a lost answer its request may still arrive; a later read knows the outcome. */
const knownAfterMs = 10_000
/** Delay before repeating an accepted request without effect. */
const againMs = 15_000
/** Minimum delay before retrying a refused call. */
const pauseMs = 1_000
/** How long to let the copier's pending orders finish first. */
const settleMs = 3_000

/** Dependencies of closing. */
export type ClosingDeps = {
  readonly world: World
  readonly gateway: Pick<OrderGateway, 'flush'>
  readonly timing: Timing
  readonly takeCall: (account: Account, kind: CallKind) => CallAllowance
  /** Resolves with whether `look` became true within `ms`; checked after every fact and every second. */
  readonly until: (look: () => boolean, ms: number) => Promise<boolean>
  readonly stopped: () => boolean
  readonly lines: Pick<Lines, 'readAccounts'>
  readonly keepLines: () => void
  /** Schedules a look at the groups of an account whose orders may have changed. */
  readonly touch: (account: Account) => void
  readonly log: Log
}

/** A request to close a position, at `at` (UTC ms); `side` is the position's sign. */
type CloseRequest = { readonly at: number; readonly side: number; readonly outcome: PlaceOutcome | null }

/** Requests of all jobs on an account. */
type Requests = {
  jobs: number
  /** By contract id. */
  readonly asked: Map<number, CloseRequest>
  /** When (UTC ms) an order's cancel was sent, by order id. */
  readonly canceled: Map<number, number>
}

/** What to close: one contract by name, or everything in an account. */
type Job = { readonly account: Account; readonly contract: string | null; readonly requests: Requests }

const idsOf = ({ account, contract }: Pick<Job, 'account' | 'contract'>): readonly number[] => {
  const { byName } = account.contracts
  if (contract === null) return account.book.contracts()
  const id = byName.get(contract)?.id
  return id === undefined ? [] : [id]
}
const heldOf = (job: Job): number[] => idsOf(job).filter((id) => job.account.book.net(id) !== 0)
const workingOf = (job: Job): readonly { readonly orderId: number; readonly contractId: number }[] => {
  const { account, contract } = job
  const ids = contract === null ? [...account.contracts.byId.keys()] : idsOf(job)
  return ids.flatMap((contractId) => account.book.working(contractId).map(({ id }) => ({ orderId: id, contractId })))
}
const ownUnderWay = ({ account, contract }: Job): boolean =>
  (contract === null ? [...account.ours.values()] : oursIn(account, contract)).some(({ intent, stage }) => !intent.dryRun && (intent.type === 'Market' || stage === 'unknown'))
const isFlat = (job: Job): boolean => {
  const { book } = job.account
  return !hasUnnamed(job.account) && idsOf(job).every((id) => book.net(id) === 0 && book.settled(id)) && workingOf(job).length === 0 && !ownUnderWay(job)
}

/** Closes positions at the user's request. */
export const createClosing = ({ world, gateway, timing, takeCall, until, stopped, lines, keepLines, touch, log }: ClosingDeps) => {
  const underWay = new Map<string, Promise<CloseReport>>()
  const closing = new Map<string, Requests>()

  const reportOf = ({ account, contract }: Job, outcome: CloseReport['outcome'], detail: string | null = null): CloseReport => ({
    account: account.key,
    outcome,
    left: openOf(account).filter((open) => contract === null || open.contract === contract),
    detail,
  })
  // A removed account has no line to wait for.
  const isGone = (account: Account): boolean => accountIn(world, account, account.key) !== account
  const waitForLine = async ({ account }: Job): Promise<boolean> => (await until(() => isCurrent(world, account) || isGone(account), lineWaitMs)) && !isGone(account)
  const groupsOf = (account: Account): { readonly group: Group; readonly follower: Follower }[] =>
    [...world.groups.values()].flatMap((group) => {
      const follower = group.followers.get(account.key)
      return group.userId === account.userId && group.state !== 'off' && follower !== undefined ? [{ group, follower }] : []
    })

  /** Blocks the copier for what is being closed; returns the release. Afterward the copier treats the close as manual and does not undo it. */
  const hold = ({ account, contract }: Job): (() => void) => {
    const until = timing.now() + lineWaitMs + wholeMs
    const followers = groupsOf(account).map(({ follower }) => follower)
    const count = (by: number): void => {
      for (const follower of followers) Object.assign(follower, { closings: follower.closings + by, changed: true })
      gateway.flush()
    }
    count(1)
    const held: { readonly state: ContractState; readonly before: Pick<ContractState, 'heldUntil' | 'pauses' | 'heldWhy' | 'exitsHeldUntil'> }[] = []
    const flattening = contract === null ? followers.filter((follower) => !follower.flattening) : []
    for (const follower of flattening) follower.flattening = true
    if (contract !== null) {
      for (const follower of followers) {
        // Of an account's groups only the one that trades the contract.
        if (!isFollowed(follower, contract) && !follower.states.has(contract)) continue
        const state = contractStateOf(follower, contract)
        const { heldUntil, pauses, heldWhy, exitsHeldUntil } = state
        held.push({ state, before: { heldUntil, pauses, heldWhy, exitsHeldUntil } })
        Object.assign(state, { heldUntil: until, pauses: 'all', heldWhy: 'by-hand', exitsHeldUntil: until })
      }
    }
    return () => {
      for (const follower of flattening) follower.flattening = false
      for (const { state, before } of held) if (state.heldUntil === until) Object.assign(state, before)
      // A shutdown is not a close.
      if (!stopped()) count(-1)
    }
  }

  /** Rereads an account's leaders, whose sockets may lag. A leader that cannot be read now is read before anything follows it again. */
  const readLeaders = async (account: Account): Promise<void> => {
    await Promise.all(groupsOf(account).map(async ({ group, follower }) => {
      const leader = accountIn(world, group, group.settings.leader)
      const line = leader === undefined ? null : lineOf(world, leader)
      if (line?.state === 'up' && (await line.connection.readAnew())) return
      if (line?.state === 'up') line.connection.reopen()
      Object.assign(follower, { needsDecisionNext: true, changed: true })
    }))
  }

  /** What a follower lacked at the close is not opened afterward: it waits for the user, like after a manual close. */
  const leaveLacking = ({ account, contract }: Job): void => {
    for (const { group, follower } of groupsOf(account)) {
      const nets = leaderNetsOf(world, group)
      if (nets === null) follower.needsDecisionNext = true
      for (const name of contractsToFollow(follower, account, leaderContractsOf(world, group))) {
        const state = contractStateOf(follower, name)
        recomputeTarget(follower, nets, name)
        if (contract !== null && name !== contract) continue
        // When flat, the copier's and the user's opposite contracts have closed each other.
        if (netOf(account, name) === 0 && isCounted(account, state)) Object.assign(state, { held: 0, yours: 0, changed: true })
        if (state.target === null) {
          follower.needsDecisionNext = true
          continue
        }
        const lacking = state.target + state.apart - state.held
        if (lacking === 0 || state.held * lacking < 0) continue
        Object.assign(state, { apart: state.apart - lacking, apartWhy: state.apartWhy ?? 'by-hand', lastTarget: state.target, changed: true })
      }
    }
  }

  /** Clears completed requests: any position now came later, for example from an exit that filled as well. */
  const clearDone = ({ account, requests: { asked } }: Job): void => {
    for (const [contractId, { side, outcome }] of asked) {
      if (outcome?.kind !== 'accepted' || !account.book.settled(contractId) || Math.sign(account.book.net(contractId)) === side) continue
      asked.delete(contractId)
      account.liquidating.delete(contractId)
    }
  }

  /** Lets the user retry refused requests even while another job runs. */
  const leaveRequests = (job: Job): void => {
    const { account, requests } = job
    clearDone(job)
    for (const id of idsOf(job)) if (isRefused(requests.asked.get(id)?.outcome ?? null)) requests.asked.delete(id)
    requests.jobs -= 1
    if (requests.jobs > 0) return
    closing.delete(account.key)
    account.liquidating.clear()
  }

  /** Sends due requests; earlier requests decide whether a contract may be retried. True if anything was due. */
  const send = (job: Job, since: number): boolean => {
    const { account, requests: { asked, canceled } } = job
    const line = lineOf(world, account)?.connection
    if (line === undefined) return false
    const now = timing.now()
    clearDone(job)
    const held = heldOf(job)
    for (const contractId of held) {
      const before = asked.get(contractId)
      if (before !== undefined && !mayAskAgain(before, now, since)) continue
      if (!takeCall(account, 'reduce').ok) continue
      const side = Math.sign(account.book.net(contractId))
      asked.set(contractId, { at: now, side, outcome: null })
      account.liquidating.add(contractId)
      void line.liquidate({ accountId: account.id, contractId }).then((outcome) => {
        asked.set(contractId, { at: timing.now(), side, outcome })
        if (outcome.kind !== 'accepted' && !(outcome.kind === 'lost' && outcome.reached)) account.liquidating.delete(contractId)
        if (outcome.kind === 'not-now') world.budgets.get(account.loginId)?.block(performance.now(), outcome.waitMs, outcome.why === 'rate-limited')
        touch(account)
      })
    }
    const working = workingOf(job)
    for (const { orderId, contractId } of working) {
      // With an open position, the close cancels these.
      if (account.book.net(contractId) !== 0 || now - (canceled.get(orderId) ?? -Infinity) < againMs || !takeCall(account, 'reduce').ok) continue
      canceled.set(orderId, now)
      void line.cancel({ orderId, clOrdId: 'fb-close', byHand: true })
    }
    return held.length > 0 || working.length > 0
  }

  const run = async (job: Job): Promise<CloseReport> => {
    const { account } = job
    const over = timing.now() + lineWaitMs + wholeMs
    let since = -Infinity
    let touched = false
    const ownAsked = (): [number, CloseRequest][] => {
      const { asked } = job.requests
      return idsOf(job).flatMap((id) => {
        const own = asked.get(id)
        return own === undefined ? [] : [[id, own]]
      })
    }
    const answered = (): boolean => ownAsked().every(([, { outcome }]) => outcome !== null)
    const refusalOf = (): CloseReport | null => {
      for (const [contractId, { outcome }] of ownAsked()) {
        if (account.book.net(contractId) === 0) continue
        if (outcome?.kind === 'refused') return reportOf(job, 'refused', refusalText(outcome))
        if (outcome?.kind === 'denied') return reportOf(job, 'refused', outcome.failure.kind)
      }
      return null
    }
    while (!stopped() && timing.now() < over) {
      if (!(await waitForLine(job))) return reportOf(job, 'not-connected')
      // A copier order sent a moment ago could reopen what is closed before it.
      await until(() => !ownUnderWay(job), touched ? 0 : settleMs)
      if (!stopped()) touched = send(job, since) || touched
      await until(() => (isFlat(job) && answered()) || refusalOf() !== null, pauseMs)
      const refusal = refusalOf()
      if (!isFlat(job) && refusal === null && !needsReading(ownAsked().map(([, own]) => own), timing.now(), since)) continue
      const began = timing.now()
      const [isRead] = await Promise.all([isCurrent(world, account) && lineOf(world, account)?.connection.readAnew(), readLeaders(account)])
      if (isRead !== true) continue
      since = began
      touch(account)
      if (isFlat(job)) return reportOf(job, touched ? 'flat' : 'was-flat')
      // Checked only now: somebody else may have closed it meanwhile.
      const stillRefused = refusalOf()
      if (stillRefused !== null) return stillRefused
    }
    // The computer may have slept: an old request is no longer sent, but its outcome is read.
    const isRead = !stopped() && (await waitForLine(job)) && (await lineOf(world, account)?.connection.readAnew()) === true
    return reportOf(job, isRead && touched && isFlat(job) ? 'flat' : 'not-flat')
  }

  const close = async (account: Account, contract: string | null): Promise<CloseReport> => {
    const requests = getOrInsert(closing, account.key, () => ({ jobs: 0, asked: new Map(), canceled: new Map() }))
    const job = { account, contract, requests }
    requests.jobs += 1
    keepLines()
    const release = hold(job)
    try {
      return await run(job)
    } catch (error) {
      log.error({ error, account: account.key }, 'close failed')
      return reportOf(job, 'not-flat')
    } finally {
      touch(account)
      leaveLacking(job)
      release()
      leaveRequests(job)
      touch(account)
    }
  }

  const begin = async (userId: string, key: string, contract: string | null): Promise<CloseReport> => {
    if (accountIn(world, { userId }, key) === undefined) await lines.readAccounts(userId)
    const account = accountIn(world, { userId }, key)
    if (account === undefined) return { account: key, outcome: 'not-connected', left: [], detail: null }
    const name = `${key} ${contract ?? ''}`
    return getOrInsert(underWay, name, () => close(account, contract).finally(() => underWay.delete(name)))
  }

  return {
    calls: {
      /** Cancels the working orders of a contract and closes it at market; an armed copier does not open it again. */
      closePosition: ({ userId, account, contract }: { readonly userId: string; readonly account: string; readonly contract: string }): Promise<CloseReport> => begin(userId, account, contract),
      /** The same for all positions and working orders of an account. */
      flattenAccount: ({ userId, account }: { readonly userId: string; readonly account: string }): Promise<CloseReport> => begin(userId, account, null),
    },
    /** Whether an account is being closed: its line is kept. */
    isClosing: ({ key }: Account): boolean => closing.has(key),
  }
}

const isRefused = (outcome: PlaceOutcome | null): boolean => outcome?.kind === 'refused' || outcome?.kind === 'denied'

/** Whether a contract may be retried: never while the last request's outcome is unknown. `since`: when the last read began, UTC ms. */
const mayAskAgain = ({ at, outcome }: CloseRequest, now: number, since: number): boolean => {
  switch (outcome?.kind) {
    case undefined:
      return false
    case 'lost':
      return outcome.reached ? since >= at + knownAfterMs : now - at >= pauseMs
    case 'not-now':
      return now - at >= Math.max(pauseMs, outcome.waitMs)
    case 'accepted':
      return now - at >= againMs
    case 'refused':
    case 'denied':
      return false
  }
}

/** Whether a read is needed to resolve a lost answer. */
const needsReading = (asked: readonly CloseRequest[], now: number, since: number): boolean =>
  asked.some(({ at, outcome }) => outcome?.kind === 'lost' && outcome.reached && (since < at || (now >= at + knownAfterMs && since < at + knownAfterMs)))
