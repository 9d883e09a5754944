import fc from 'fast-check'
import { csvText, encoded } from '#tests/helpers/exports/table.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { drawMarket, type Market } from './market.ts'
import type { PlatformKind } from './platform-writers.ts'
import { rules, type Handed, type RuleName } from './rules.ts'
import { truthsOf, type Truth } from './truth.ts'
import { writeFiles, type Draft, type Kind } from './writers.ts'

/** A case in one line that can be replayed: the drops make it smaller. */
export type Case = { readonly seed: number; readonly broken: boolean; /** Files of one platform other than the broker's. */ readonly platform?: PlatformKind; readonly dropRules: readonly number[]; readonly dropFiles: readonly string[]; readonly dropEpisodes: readonly number[] }

/** A case as it is handed over: names and bytes of files, the zone that is said, the rules that broke them, and what may be right. */
export type Played = { readonly market: Market; readonly handed: Handed; readonly zone: string; /** Whether each file comes in an import of its own. */ readonly oneByOne: boolean; /** Whether a user of one account names it beforehand. */ readonly saysAccount: boolean; readonly rules: readonly { readonly name: RuleName; readonly index: number }[]; readonly truths: ReadonlyMap<string, readonly Truth[]> }

const zones = ['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'Pacific/Honolulu', 'America/Sao_Paulo', 'UTC', 'Europe/London', 'Europe/Berlin', 'Africa/Johannesburg', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Pacific/Auckland']

const fillKinds: readonly (readonly Kind[])[] = [['fills'], ['fills'], ['performance'], ['positions'], ['orders'], ['grid'], ['grid'], ['fills', 'performance'], ['fills', 'orders'], ['fills', 'positions'], ['orders', 'performance'], ['orders', 'positions'], ['performance', 'positions'], ['fills', 'orders', 'performance'], ['grid', 'fills']]

// A rule that came later takes the place of some others by a draw of its own, and of none in the seeds that had found something by then.
const later: readonly RuleName[] = ['change a quantity']
const names = (Object.keys(rules) as RuleName[]).filter((name) => !later.includes(name))

/** The seeds of as many cases, always the same unless `PROPERTY_SEED` says otherwise. */
export const seedsOf = (count: number): readonly number[] => {
  const base = fc.readConfigureGlobal()?.seed ?? 0
  return Array.from({ length: count }, (_, index) => mixed(Math.imul(base, 31) + index))
}

// Neighbouring seeds must not draw alike.
const mixed = (seed: number): number => {
  let bits = Math.imul(seed ^ (seed >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return ((bits ^ (bits >>> 16)) >>> 1) + 1
}

/** Plays a case up to the files that are handed over. */
export const play = ({ seed, broken, platform, dropRules, dropFiles, dropEpisodes }: Case): Played => {
  const draw = drawOf(mixed(seed + 1))
  const fills = draw.pick(fillKinds)
  const proof = (['cash', 'balances'] as const).filter(() => draw.chance(0.55))
  const [zone, cut] = [draw.pick(zones), draw.chance(0.25)]
  const count = broken ? draw.pick([1, 1, 1, 1, 2, 2, 3]) : 0
  const late = drawOf(mixed(seed + 8693))
  const steps = Array.from({ length: count }, (_, index) => ({ index, name: draw.pick(names), seed: draw.between(1, 1_000_000_000) }))
    .map((step) => (late.chance(0.1) ? { ...step, name: late.pick(later) } : step))
    .filter(({ index }) => !dropRules.includes(index))
  // An account whose reports name no account stands alone, or is named by other files.
  const market = drawMarket(mixed(seed + 2), { drop: new Set(dropEpisodes) })
  const files = writeFiles(drawOf(mixed(seed + 3)), market, platform === undefined ? [...fills, ...proof] : [platform], zone, cut).filter(({ name }) => !dropFiles.includes(name))
  const handed = steps.reduce<Handed>((before, step) => rules[step.name](drawOf(mixed(step.seed)), before), { files: drawOf(mixed(seed + 4)).shuffle(files), zone })
  return { market, handed, zone, oneByOne: seed % 3 === 0, saysAccount: seed % 2 === 0, rules: steps, truths: truthsOf(handed.files, market, handed.zone) }
}

/** The bytes of a file. */
export const bytesOf = ({ table, lineEnd, mark, whole }: Draft): Uint8Array => encoded(csvText(table, { lineEnd, lastLineEnds: whole }), { mark, encoding: 'utf-8' })
