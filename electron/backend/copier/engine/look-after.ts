import { cancelLeftEntries, mirrorEntries } from './entries-loop.ts'
import { mirrorExits, tendLeftExits } from './exits-loop.ts'
import { contractsToFollow, following, repair, type FastPath, type StepDeps } from './steps.ts'
import { leaderContractsOf } from './followers.ts'
import { askBeforeAdding } from './reasons.ts'
import { beginAll } from './starts.ts'
import { accountIn, lineOf, type Group } from './world.ts'

/** Delay before requesting an unknown or unreadable contract again. */
const askAgainMs = 30_000

/** Requests contracts that followers may trade next and that are unknown on their side: a first copy would wait for them. */
const askNames = ({ world, timing }: StepDeps, group: Group): void => {
  const now = timing.now()
  const leaderContracts = leaderContractsOf(world, group)
  for (const { follower, account } of following(world, group)) {
    const line = lineOf(world, account)
    if (line?.state !== 'up') continue
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const asked = line.askedNames.get(contract)
      if (account.contracts.byName.has(contract) || (asked !== undefined && now - asked.at < askAgainMs)) continue
      line.askedNames.set(contract, { at: now, isMissing: asked?.isMissing ?? false })
      void line.line.contractNamed(contract).then((found) => line.askedNames.set(contract, { at: now, isMissing: found === null }))
    }
  }
}

/** Advances one group: starts followers that are ready, repairs what is out of sync, mirrors exits. */
export const lookAfter = ({ steps, fastPath }: { readonly steps: StepDeps; readonly fastPath: FastPath }, group: Group): void => {
  if (group.state === 'off') return
  beginAll(steps.world, group, steps.timing.now())
  askNames(steps, group)
  askBeforeAdding(steps, group)
  fastPath.now(group)
  repair(steps, group, following(steps.world, group))
  mirrorExits(steps, group)
  mirrorEntries(steps, group)
}

/** Manages orphaned orders: those in accounts that no longer follow. */
export const tendLeft = (parts: StepDeps): void => {
  cancelLeftEntries(parts)
  tendLeftExits(parts)
  for (const group of parts.world.groups.values()) {
    for (const key of group.left.keys()) {
      const account = accountIn(parts.world, group, key)
      if (account === undefined || ![...account.ours.values()].some(({ intent }) => intent.groupId === group.id)) group.left.delete(key)
    }
  }
}
