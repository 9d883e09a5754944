import type { RulePreset } from '#shared/api/rules.ts'

/** The picked properties of a preset so far. */
export type PresetPick = { readonly firm?: RulePreset['firm'] | undefined; readonly plan?: string | undefined; readonly size?: string | undefined; readonly phase?: RulePreset['phase'] | undefined }

/** The next choices, and the preset once it is unambiguous. */
export type PresetChoices = { readonly firms: readonly RulePreset['firm'][]; readonly plans: readonly string[]; readonly sizes: readonly string[]; readonly phases: readonly RulePreset['phase'][]; readonly pick: PresetPick; readonly preset: RulePreset | null }

const unlike = <T>(values: readonly T[]): T[] => [...new Set(values)]
// Drops a pick that no longer fits; picks the only remaining choice.
const kept = <T>(picked: T | undefined, offered: readonly T[]): T | undefined => (picked !== undefined && offered.includes(picked) ? picked : offered.length === 1 ? offered[0] : undefined)

/** Narrows the presets by the picks, from firm to plan and size to before or after the evaluation. */
export const narrowPresets = (presets: readonly RulePreset[], { firm, plan, size, phase }: PresetPick): PresetChoices => {
  const firms = unlike(presets.map((preset) => preset.firm))
  const ofFirm = presets.filter((preset) => preset.firm === firm)
  const plans = unlike(ofFirm.map((preset) => preset.plan))
  const thePlan = kept(plan, plans)
  const ofPlan = ofFirm.filter((preset) => preset.plan === thePlan)
  const sizes = unlike(ofPlan.map((preset) => preset.size)).sort((one, other) => Number(one) - Number(other))
  const theSize = kept(size, sizes)
  const ofSize = ofPlan.filter((preset) => preset.size === theSize)
  const phases = unlike(ofSize.map((preset) => preset.phase))
  const thePhase = kept(phase, phases)
  return { firms, plans, sizes, phases, pick: { firm, plan: thePlan, size: theSize, phase: thePhase }, preset: ofSize.find((preset) => preset.phase === thePhase) ?? null }
}

/** The starting balance in an account's name: `NGF-EVAL150K-104871` has 150000. */
export const sizeInName = (name: string): string | undefined => {
  const [, thousands] = /(?<!\d)(\d{2,3})[Kk](?![a-z])/.exec(name) ?? []
  return thousands === undefined ? undefined : String(Number(thousands) * 1_000)
}
