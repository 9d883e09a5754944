import type { ContentOf } from '#shared/mirror/record.ts'
import { takeAway, takeRemoved } from '../fills/gone-fills.ts'
import { keepRemoval, removalOf } from '../fills/removed-fills.ts'
import type { Taking } from '../fills/take-fills.ts'
import type { Merging } from './merge-ground.ts'
import { noteChange, tellCloud } from './outbox.ts'

/** The later stamp stands; fills that are now known as removed go. */
export const mergeRemovals = (taking: Taking, { writer, userId, at }: Merging, came: readonly { readonly id: string; readonly content: ContentOf<'removal'> }[]): void => {
  const gone: string[] = []
  for (const { id: name, content } of came) {
    const known = removalOf(writer, userId, name)
    const standsHere = known !== null && known.stamp > content.stamp
    tellCloud(writer, { userId, at, entity: 'removal', id: name, standsHere })
    if (standsHere) continue
    keepRemoval(writer, userId, name, content)
    if (content.removed && known?.removed !== true) gone.push(name)
  }
  if (gone.length > 0) takeRemoved(taking, { userId, at, names: gone })
}

/** Fills of which the cloud says that they are gone. */
export const mergeGone = takeAway

/** Whether what a cloud of another history says of a fill is contradicted by what is known here of its removal; that is then told. */
export const isRefused = ({ writer, userId, at }: Merging, { id: name, content }: { readonly id: string; readonly content: ContentOf<'fill'> }): boolean => {
  const known = removalOf(writer, userId, name)
  if (known?.removed !== (content !== null)) return false
  // A fill that goes is told before its removal, one that stands behind it.
  for (const entity of known.removed ? (['fill', 'removal'] as const) : (['removal', 'fill'] as const)) noteChange(writer, userId, at, entity, name)
  return true
}
