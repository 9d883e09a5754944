import type { CopierLive, LiveFollower, LiveGroup } from '#shared/api/copier.ts'
import { partsOf } from '#shared/copier/contract-match.ts'
import { openReasonJudge, type ReasonParts } from './judge-reasons.ts'
import { exposed, netOf, type Setting } from './lots.ts'

type Parts = ReasonParts & {
  readonly settings: () => readonly Setting[]
  /** When anything of an account's stops changed last, by account and contract. */
  readonly stopsChanged: ReadonlyMap<string, number>
}

/** For so long what an exit opened may stand: a close that does not fill is canceled after five seconds and sent again. */
const overdueMs = 8_000

/** Holds what the screen says against what the brokerage has. */
export const openScreenJudge = (parts: Parts) => {
  const { leads, settings, lots, lotOf, now, stopsChanged, upSince, isProgram, requestedAt, breach } = parts
  const { judgeReasons } = openReasonJudge(parts)
  const { ruleOf, leadOf, openOrders, covered, reachedAt, guarded } = leads
  const passing = new Set(['line-down', 'leader-down', 'reading', 'order-unknown', 'order-working', 'exits-cancelling'])

  /** An exit that filled while nobody could cancel it left contracts of the program's against the leader: once the line is up for so long they are gone. */
  const lookAtOpened = (id: string, account: string, afterMs: number): void => {
    for (const lot of lots.values()) {
      const lead = lot.account === account ? leadOf(lot) : null
      if (lead?.setting.id !== id || lot.made === 0 || lot.made * lead.target > 0 || lot.lastBy !== 'exit') continue
      const moved = [requestedAt(), ...[lead.leader, lot].flatMap((each) => [each.nets.at(-1)?.at ?? 0, upSince(each.account)])]
      if (Math.max(...moved) <= now() - afterMs) breach('opposite', lot, `${String(lot.made)} that an exit made stand against the leader's ${String(netOf(lead.leader))}`)
    }
  }

  /** Once everything is at rest, a follower is at its target and protected, or the screen says why not; no state is green without it. */
  const judgeScreen = (live: CopierLive): void => {
    for (const setting of settings()) {
      const group = live.groups.find(({ id }) => id === setting.id)
      if (group === undefined) continue
      judgeNamed(setting, group)
      if (setting.state === 'off') continue
      for (const rule of setting.draft.followers) {
        const follower = group.followers.find(({ account }) => account === rule.account)
        if (follower !== undefined && rule.on) judgeFollower(setting.id, follower)
      }
    }
  }
  /** Working orders of the program in accounts that no longer follow are named below their group. */
  const judgeNamed = (setting: Setting, { left }: LiveGroup): void => {
    for (const lot of lots.values()) {
      const rule = setting.draft.followers.find(({ account }) => account === lot.account)
      if (rule === undefined || (rule.on && setting.state !== 'off') || ruleOf(lot.account, lot.contract)?.setting !== setting) continue
      const working = openOrders(lot.account, lot.contract).filter(({ id }) => isProgram(id)).length
      const named = left.filter(({ account, contract }) => account === lot.account && contract === lot.contract).length
      if (working !== named) breach('not-said', lot, `${String(working)} orders of the program's work where nobody follows, and ${String(named)} are named`)
    }
  }
  const judgeFollower = (id: string, follower: LiveFollower): void => {
    const isGreen = follower.state === 'armed'
    const nowhere = { account: follower.account, contract: '' }
    if (!isGreen && follower.why === null && follower.lock === null && follower.state !== 'unprotected') breach('not-said', nowhere, `the row says ${follower.state} and no reason`)
    if (follower.why !== null && passing.has(follower.why)) breach('stuck', nowhere, `the row still says ${follower.why}`)
    for (const contract of follower.contracts) {
      const lot = lotOf(follower.account, contract.contract)
      if (contract.actual !== netOf(lot)) breach('not-said', lot, `the screen says ${String(contract.actual)}, the broker ${String(netOf(lot))}`)
      if (contract.why === 'rate-limited' && contract.retryAt === null) breach('not-said', lot, 'rate-limited, and the row does not say until when')
    }
    judgeReasons(follower)
    lookAtOpened(id, follower.account, 0)
    if (!isGreen) return
    for (const lot of lots.values()) {
      if (lot.account !== follower.account) continue
      const lead = leadOf(lot)
      if (lead !== null && lead.setting.id !== id) continue
      const cap = lead?.rule.contractCap ?? Infinity
      const target = Math.max(-cap, Math.min(cap, lead?.target ?? 0))
      const { product } = partsOf(lot.contract)
      // Its position without a leader belongs to the user, and is shown as such.
      const isYours = follower.contracts.some(({ contract, yours }) => contract === lot.contract && yours === netOf(lot))
      if (lead === null && lot.made !== 0 && !isYours) breach('not-said', lot, `green, and the program made ${String(lot.made)} ${product} that nobody leads`)
      const isAhead = lead !== null && Math.abs(lot.made) > Math.abs(target) && Math.abs(lot.made) <= reachedAt(lot, Math.sign(lot.made), now())
      if (lead !== null && lot.apart !== 'requested' && !isAhead && Math.abs(lot.made - target) > 0) breach('not-said', lot, `green, and the program made ${String(lot.made)} of ${String(target)}`)
      const held = guarded(lot)
      if (held === null) continue
      const leads = netOf(held.leader)
      const stands = leads !== 0 && covered(held.leader.account, held.leader.contract, leads) >= Math.abs(leads)
      if (stands && covered(lot.account, lot.contract, lot.made) < exposed(lot)) breach('not-said', lot, `green, and ${String(lot.made)} stand without the leader's stop`)
    }
  }

  /**
   * Never bare, and said at once: where the leader's stop stands and nothing moved for a few seconds, a follower has one too, or its row is not
   * green; and what is rate-limited says until when.
   */
  const glance = (live: CopierLive): void => {
    for (const { id, follower } of live.groups.flatMap(({ id, followers }) => followers.map((follower) => ({ id, follower })))) {
      for (const { contract, why, retryAt } of follower.contracts) {
        if (why === 'rate-limited' && retryAt === null) breach('not-said', { account: follower.account, contract }, 'rate-limited, and the row does not say until when')
      }
      if (follower.state !== 'off') judgeReasons(follower)
      if (follower.state !== 'off' && follower.undecided.length === 0 && (follower.why === null || follower.why === 'by-hand' || follower.why === 'exit-filled')) lookAtOpened(id, follower.account, overdueMs)
      if (follower.state !== 'armed') continue
      for (const lot of lots.values()) {
        const lead = lot.account === follower.account ? guarded(lot) : null
        if (lead?.setting.id !== id) continue
        const { leader } = lead
        const leads = netOf(leader)
        const stands = leads !== 0 && covered(leader.account, leader.contract, leads) >= Math.abs(leads)
        if (!stands || covered(lot.account, lot.contract, lot.made) >= exposed(lot)) continue
        const moved = [requestedAt(), ...[leader, lot].flatMap((each) => [stopsChanged.get(`${each.account} ${each.contract}`) ?? 0, each.nets.at(-1)?.at ?? 0, upSince(each.account) + 1_000])]
        if (Math.max(...moved) < now() - 4_000) breach('not-said', lot, `green, and ${String(lot.made)} stand without the leader's stop for seconds`)
      }
    }
  }

  return { judgeScreen, glance }
}
