import type { copierRoutes, CopyGroup } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { ArmDialog } from './arm-dialog.tsx'
import { FlattenDialog } from './flatten-dialog.tsx'
import { GroupEditor } from './group-editor.tsx'
import { RemoveGroupDialog } from './remove-group-dialog.tsx'
import type { useArming } from './use-arming.ts'
import type { useFlatten } from './use-flatten.ts'

/** What the user opened over the page: the editor of a group, or of a new one, or the question before one goes. */
export type Over = { readonly kind: 'edit'; readonly group: CopyGroup | null } | { readonly kind: 'remove'; readonly group: CopyGroup }

type Given = { readonly copier: AnswerOf<typeof copierRoutes.copier>; readonly over: Over | null; readonly onClose: () => void; readonly arming: ReturnType<typeof useArming>; readonly flatten: ReturnType<typeof useFlatten> }

/** Whatever stands over the page. */
export const OverPage = ({ copier: { groups, live, used, limit }, over, onClose, arming, flatten }: Given) => {
  const { step } = arming
  return (
    <>
      {over?.kind === 'edit' && <GroupEditor group={over.group} groups={groups} armed={live.groups.some(({ id, state }) => id === over.group?.id && state !== 'off')} used={used} limit={limit} onClose={onClose} />}
      {over?.kind === 'remove' && <RemoveGroupDialog group={over.group} left={live.groups.find(({ id }) => id === over.group.id)?.left.length ?? 0} onClose={onClose} />}
      {step !== null && <ArmDialog step={step} busy={arming.busy !== null} onAnswer={() => { arming.answer(step) }} onClose={arming.close} />}
      {flatten.now !== null && <FlattenDialog flattening={flatten.now} live={live} onGo={() => void flatten.go()} onClose={flatten.close} />}
    </>
  )
}
