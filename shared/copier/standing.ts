import type { CopierLive } from '../api/copier.ts'

/** What the groups of a user come to: `armed` where one takes entries, `paused` where all that stand armed are paused, null where none stands armed. */
export const standingOf = ({ groups }: Pick<CopierLive, 'groups'>): 'armed' | 'paused' | null => {
  if (groups.some(({ state }) => state === 'armed')) return 'armed'
  return groups.some(({ state }) => state === 'paused') ? 'paused' : null
}
