import type { CloseReport } from '#shared/api/positions.ts'
import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import type { Log } from '#shared/base/log.ts'
import type { CopierStore } from '../store/rows.ts'
import type { PlaceOutcome } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { CopierCalls } from './calls.ts'
import { openOf } from './flatten.ts'
import { isCounted, isFollowed, leaderContractsOf, oursIn, reckon } from './followers.ts'
import { followerRow } from './groups-kept.ts'
import type { Lines } from './lines-open.ts'
import { contractsToFollow, leaderNetsOf } from './steps.ts'
import { accountIn, hasUnnamed, isUp, lineOf, netOf, standOf, type Account, type Follower, type Group, type Stand, type World } from './world.ts'

/** How long a line is waited for, and how long a whole closing may take. */
const lineWaitMs = 30_000
const wholeMs = 60_000
/** So long after its answer was lost a request may still arrive; a reading that began later knows what became of it. */
const knownAfterMs = 10_000
/** What the broker took and did not do is asked for again after this long. */
const againMs = 15_000
/** A refused call is tried again after this long at the earliest. */
const pauseMs = 1_000
/** How long the copier's own orders of the moment are let end first. */
const settleMs = 3_000

/** What closing works with. */
export type ClosingParts = {
  readonly world: World
  readonly store: Pick<CopierStore, 'saveFollower'>
  readonly timing: Timing
  readonly leave: (account: Account, kind: CallKind) => CallLeave
  /** Resolves with whether `look` came true within `ms`; it looks after every fact and every second. */
  readonly until: (look: () => boolean, ms: number) => Promise<boolean>
  readonly stopped: () => boolean
  readonly lines: Pick<Lines, 'readAccounts'>
  readonly keepLines: () => void
  /** What is known of an account's orders may have changed, and its groups are to be looked at. */
  readonly touch: (account: Account) => void
  readonly log: Log
}

/** Closes what a user holds, at the press of a button. */
export type Closing = {
  readonly calls: Pick<CopierCalls, 'closePosition' | 'flattenAccount'>
  /** Whether an account is being closed: its line is kept. */
  readonly isClosing: (account: Account) => boolean
}

/** `side` is the sign of what was to be closed. */
type Asked = { readonly at: number; readonly side: number; readonly outcome: PlaceOutcome | null }

/** What was asked of an account, by whichever of the jobs on it: by contract what is to be closed, by order when it was to be cancelled. */
type Requests = { jobs: number; readonly asked: Map<number, Asked>; readonly cancelled: Map<number, number> }

/** What is to be closed: one contract by its name, or all of an account. */
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

/** The closing of one engine. */
export const createClosing = ({ world, store, timing, leave, until, stopped, lines, keepLines, touch, log }: ClosingParts): Closing => {
  const underWay = new Map<string, Promise<CloseReport>>()
  const closing = new Map<string, Requests>()

  const reportOf = ({ account, contract }: Job, outcome: CloseReport['outcome'], detail: string | null = null): CloseReport => ({
    account: account.key,
    outcome,
    left: openOf(account).filter((open) => contract === null || open.contract === contract),
    detail,
  })
  // An account that was removed has no line to wait for.
  const isGone = (account: Account): boolean => accountIn(world, account, account.key) !== account
  const up = async ({ account }: Job): Promise<boolean> => (await until(() => isUp(world, account) || isGone(account), lineWaitMs)) && !isGone(account)
  const groupsOf = (account: Account): { readonly group: Group; readonly follower: Follower }[] =>
    [...world.groups.values()].flatMap((group) => {
      const follower = group.followers.get(account.key)
      return group.userId === account.userId && group.state !== 'off' && follower !== undefined ? [{ group, follower }] : []
    })

  /** Keeps the copier from sending anything for what is being closed; gives what lets it go on. What it finds then was done by hand, and is not undone by it. */
  const hold = ({ account, contract }: Job): (() => void) => {
    const until = timing.now() + lineWaitMs + wholeMs
    const followers = groupsOf(account).map(({ follower }) => follower)
    const count = (by: number): void => {
      for (const follower of followers) {
        follower.closings += by
        store.saveFollower(followerRow(follower))
      }
    }
    count(1)
    const held: { readonly stand: Stand; readonly before: Pick<Stand, 'heldUntil' | 'pauses' | 'heldWhy' | 'exitsHeldUntil'> }[] = []
    const flattening = contract === null ? followers.filter((follower) => !follower.flattening) : []
    for (const follower of flattening) follower.flattening = true
    if (contract !== null) {
      for (const follower of followers) {
        // Of two groups of an account only the one that trades it there.
        if (!isFollowed(follower, contract) && !follower.stands.has(contract)) continue
        const stand = standOf(follower, contract)
        const { heldUntil, pauses, heldWhy, exitsHeldUntil } = stand
        held.push({ stand, before: { heldUntil, pauses, heldWhy, exitsHeldUntil } })
        Object.assign(stand, { heldUntil: until, pauses: 'all', heldWhy: 'by-hand', exitsHeldUntil: until })
      }
    }
    return () => {
      for (const follower of flattening) follower.flattening = false
      for (const { stand, before } of held) if (stand.heldUntil === until) Object.assign(stand, before)
      // A program that ends has not closed it.
      if (!stopped()) count(-1)
    }
  }

  /** Reads what the leaders of an account traded, which may be more than their sockets told. A leader that cannot be read now is read before anything follows it again. */
  const readLeaders = async (account: Account): Promise<void> => {
    await Promise.all(groupsOf(account).map(async ({ group, follower }) => {
      const leader = accountIn(world, group, group.kept.leader)
      const line = leader === undefined ? null : lineOf(world, leader)
      if (line?.state === 'up' && (await line.line.readAnew())) return
      if (line?.state === 'up') line.line.reopen('silence')
      follower.asksFirst = true
    }))
  }

  /** What a follower lacked when its user had it closed is not opened afterwards: it waits for the user, as after a close by hand. */
  const leaveLacking = ({ account, contract }: Job): void => {
    for (const { group, follower } of groupsOf(account)) {
      const nets = leaderNetsOf(world, group)
      if (nets === null) follower.asksFirst = true
      for (const name of contractsToFollow(follower, account, leaderContractsOf(world, group))) {
        const stand = standOf(follower, name)
        reckon(follower, nets, name)
        if (contract !== null && name !== contract) continue
        // Where nothing is open the copier's contracts and its user's, on two sides, have closed each other.
        if (netOf(account, name) === 0 && isCounted(account, stand)) Object.assign(stand, { held: 0, yours: 0, changed: true })
        if (stand.target === null) {
          follower.asksFirst = true
          continue
        }
        const lacking = stand.target + stand.apart - stand.held
        if (lacking === 0 || stand.held * lacking < 0) continue
        Object.assign(stand, { apart: stand.apart - lacking, apartWhy: stand.apartWhy ?? 'by-hand', lastTarget: stand.target, changed: true })
      }
    }
  }

  /** Forgets what was asked and is done: what is held of it now came later, of an exit that filled beside it say. */
  const forgetDone = ({ account, requests: { asked } }: Job): void => {
    for (const [contractId, { side, outcome }] of asked) {
      if (outcome?.kind !== 'accepted' || !account.book.settled(contractId) || Math.sign(account.book.net(contractId)) === side) continue
      asked.delete(contractId)
      account.liquidating.delete(contractId)
    }
  }

  /** What was refused may be pressed for again, also while another job goes on. */
  const leaveRequests = (job: Job): void => {
    const { account, requests } = job
    forgetDone(job)
    for (const id of idsOf(job)) if (isRefused(requests.asked.get(id)?.outcome ?? null)) requests.asked.delete(id)
    requests.jobs -= 1
    if (requests.jobs > 0) return
    closing.delete(account.key)
    account.liquidating.clear()
  }

  /** Sends what is to be sent now; what was asked of a contract, and when, says whether it may be asked again. True where there was anything. */
  const send = (job: Job, since: number): boolean => {
    const { account, requests: { asked, cancelled } } = job
    const line = lineOf(world, account)?.line
    if (line === undefined) return false
    const now = timing.now()
    forgetDone(job)
    const held = heldOf(job)
    for (const contractId of held) {
      const before = asked.get(contractId)
      if (before !== undefined && !mayAskAgain(before, now, since)) continue
      if (!leave(account, 'reduce').ok) continue
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
      // With a position these go by its closing.
      if (account.book.net(contractId) !== 0 || now - (cancelled.get(orderId) ?? -Infinity) < againMs || !leave(account, 'reduce').ok) continue
      cancelled.set(orderId, now)
      void line.cancel({ orderId, clOrdId: 'fb-close', byHand: true })
    }
    return held.length > 0 || working.length > 0
  }

  const run = async (job: Job): Promise<CloseReport> => {
    const { account } = job
    const over = timing.now() + lineWaitMs + wholeMs
    let since = -Infinity
    let touched = false
    const ownAsked = (): [number, Asked][] => {
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
        if (outcome?.kind === 'refused') return reportOf(job, 'refused', [outcome.reason, outcome.text].filter((part) => part !== '').join(': '))
        if (outcome?.kind === 'denied') return reportOf(job, 'refused', outcome.failure.kind)
      }
      return null
    }
    while (!stopped() && timing.now() < over) {
      if (!(await up(job))) return reportOf(job, 'not-connected')
      // What the copier sent a moment ago would open again what is closed before it.
      await until(() => !ownUnderWay(job), touched ? 0 : settleMs)
      if (!stopped()) touched = send(job, since) || touched
      await until(() => (isFlat(job) && answered()) || refusalOf() !== null, pauseMs)
      const refusal = refusalOf()
      if (!isFlat(job) && refusal === null && !needsReading(ownAsked().map(([, own]) => own), timing.now(), since)) continue
      const began = timing.now()
      const [isRead] = await Promise.all([isUp(world, account) && lineOf(world, account)?.line.readAnew(), readLeaders(account)])
      if (isRead !== true) continue
      since = began
      touch(account)
      if (isFlat(job)) return reportOf(job, touched ? 'flat' : 'was-flat')
      // It may have been closed by somebody else meanwhile, so only now.
      const stillRefused = refusalOf()
      if (stillRefused !== null) return stillRefused
    }
    // The computer may have slept in between: what was pressed for so long ago is not sent any more, but what came of it is read.
    const isRead = !stopped() && (await up(job)) && (await lineOf(world, account)?.line.readAnew()) === true
    return reportOf(job, isRead && touched && isFlat(job) ? 'flat' : 'not-flat')
  }

  const close = async (account: Account, contract: string | null): Promise<CloseReport> => {
    const requests = closing.get(account.key) ?? { jobs: 0, asked: new Map(), cancelled: new Map() }
    const job = { account, contract, requests }
    requests.jobs += 1
    closing.set(account.key, requests)
    keepLines()
    const release = hold(job)
    try {
      return await run(job)
    } catch (error) {
      log.error({ error, account: account.key }, 'Closing failed')
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
    const known = underWay.get(name) ?? close(account, contract).finally(() => underWay.delete(name))
    underWay.set(name, known)
    return known
  }

  return {
    calls: {
      closePosition: ({ userId, account, contract }) => begin(userId, account, contract),
      flattenAccount: ({ userId, account }) => begin(userId, account, null),
    },
    isClosing: ({ key }) => closing.has(key),
  }
}

const isRefused = (outcome: PlaceOutcome | null): boolean => outcome?.kind === 'refused' || outcome?.kind === 'denied'

/** Whether a contract may be asked for once more: never while nobody knows what became of the last request. `since` is when the last reading began, UTC ms. */
const mayAskAgain = ({ at, outcome }: Asked, now: number, since: number): boolean => {
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

/** Whether only a reading says what became of a request whose answer was lost. */
const needsReading = (asked: readonly Asked[], now: number, since: number): boolean =>
  asked.some(({ at, outcome }) => outcome?.kind === 'lost' && outcome.reached && (since < at || (now >= at + knownAfterMs && since < at + knownAfterMs)))
