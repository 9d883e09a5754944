import type { RuleState } from '#shared/api/rules.ts'

/** The look of a rule: `calm`, `watch` and `near` are a limit that holds, by how much of it is used; `goal` is in progress, `met` reached. */
export type RuleMood = 'calm' | 'watch' | 'near' | 'paused' | 'broken' | 'goal' | 'met' | 'unknown'

const watchFrom = 0.5
const nearFrom = 0.8

/** The look of a rule by its state, and for a limit that holds by the used share; a best day whose share is still too large is `watch`. */
export const ruleMood = ({ state, used, unit }: Pick<RuleState, 'state' | 'used' | 'unit'>): RuleMood => {
  switch (state) {
    case 'within':
      return (used ?? 0) >= nearFrom ? 'near' : (used ?? 0) >= watchFrom ? 'watch' : 'calm'
    case 'breached':
      return 'broken'
    case 'open':
      return unit === 'percent' ? 'watch' : 'goal'
    case 'paused':
    case 'met':
    case 'unknown':
      return state
  }
}
