import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { GroupCard, type GroupActions } from './group-card.tsx'
import { groupsByTrouble } from './standing.ts'

/** All groups, those that need their user first, and what is used of the broker's calls. */
export const GroupsPanel = ({ groups, live, armingId, ...actions }: GroupActions & { groups: readonly CopyGroup[]; live: CopierLive; armingId: string | null }) => {
  const shown = groupsByTrouble(groups.map((group) => ({ group, live: live.groups.find(({ id }) => id === group.id) ?? null })))
  return (
    <>
      {shown.map(({ group, live: one }) => (
        <GroupCard key={group.id} group={group} live={one} arming={armingId === group.id} {...actions} />
      ))}
      <BudgetsCard budgets={live.budgets} />
    </>
  )
}
