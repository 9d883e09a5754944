import type { DemoBrokerOptions } from './broker-types.ts'
import { tradePast, type Past } from './past.ts'
import { withoutPast } from './report-calls.ts'
import { floorWorld } from './seeds-floor.ts'
import { DEFAULT_SEED, seededWorld } from './seeds.ts'
import { volumeWorld } from './seeds-volume.ts'
import type { World } from './world.ts'

/** The world of a scenario. */
export const worldOf = ({ seed = DEFAULT_SEED, anchor, scenario = { kind: 'seeded' } }: DemoBrokerOptions): World => {
  switch (scenario.kind) {
    case 'seeded':
      return seededWorld(seed, anchor, scenario.dollarsOnly)
    case 'volume':
      return volumeWorld(seed, anchor, scenario)
    case 'floor':
      return floorWorld(anchor, scenario)
  }
}

/** The session by session past of the seeded story; the other worlds have none. */
export const pastOf = ({ seed = DEFAULT_SEED, scenario = { kind: 'seeded' } }: DemoBrokerOptions, { sessions: [before] }: World): (() => Promise<Past>) =>
  scenario.kind === 'seeded' && before !== undefined ? () => tradePast({ seed, dollarsOnly: scenario.dollarsOnly ?? false, before }) : withoutPast
