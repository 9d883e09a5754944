import type { CopierLive } from '../api/copier.ts'

/** The state of a user's groups: `armed` if one takes entries, `paused` if every armed group is paused, null if none is armed. */
export const armedStateOf = ({ groups }: Pick<CopierLive, 'groups'>): 'armed' | 'paused' | null => {
  if (groups.some(({ state }) => state === 'armed')) return 'armed'
  return groups.some(({ state }) => state === 'paused') ? 'paused' : null
}
