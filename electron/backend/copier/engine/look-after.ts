import type { CopierStore } from '../store/rows.ts'
import { cancelLeftEntries, mirrorEntries } from './entries-loop.ts'
import { mirrorExits, tendLeftExits } from './exits-loop.ts'
import type { FastPath } from './fast-path.ts'
import { leaderContractsOf } from './followers.ts'
import { followerRow } from './groups-kept.ts'
import { askBeforeAdding } from './reasons.ts'
import { beginAll } from './starts.ts'
import { contractsToFollow, following, repair, type StepParts } from './steps.ts'
import { accountIn, lineOf, type Group } from './world.ts'

/** A contract that the broker did not know, or that could not be read, is asked for again after this long. */
const askAgainMs = 30_000

/** Asks for the contracts that followers may trade next and whose names are not known yet on their side: a first copy would wait for them. */
const askNames = ({ world, timing }: StepParts, group: Group): void => {
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

/** Brings one group as far as it can be brought now: who may begin begins, what is out of step is repaired, exits are mirrored, stances are kept. */
export const lookAfter = ({ steps, store, fastPath }: { readonly steps: StepParts; readonly store: CopierStore; readonly fastPath: FastPath }, group: Group): void => {
  if (group.state === 'off') return
  beginAll(steps.world, store, group, steps.timing.now())
  askNames(steps, group)
  const asked = askBeforeAdding(steps, group)
  fastPath.now(group)
  repair(steps, group, following(steps.world, group))
  mirrorExits(steps, group)
  mirrorEntries(steps, group)
  steps.outlet.keep()
  for (const follower of asked) store.saveFollower(followerRow(follower))
}

/** Nothing left behind: orders of ours where nobody follows any more. */
export const tendLeft = (parts: StepParts): void => {
  cancelLeftEntries(parts)
  tendLeftExits(parts)
  for (const group of parts.world.groups.values()) {
    for (const key of group.left.keys()) {
      const account = accountIn(parts.world, group, key)
      if (account === undefined || ![...account.ours.values()].some(({ intent }) => intent.groupId === group.id)) group.left.delete(key)
    }
  }
}
