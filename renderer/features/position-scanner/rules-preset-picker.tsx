import { useFormat } from '#renderer/lib/use-format.ts'
import { Field } from '#renderer/ui/field.tsx'
import { firmOption } from '#renderer/ui/firm-option.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { AccountStanding, RulePreset } from '#shared/api/rules.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const fieldOrder = ['plan', 'size', 'phase'] as const

/** What `usePresetPick` gives. */
export type PresetPicking = { readonly choices: PresetChoices; readonly choose: (more: PresetPick) => void }

/** The preset being picked, beginning with the one in use, or with the account's firm, phase, and the size in its name; `choices.preset` is set once only one preset fits. */
export const usePresetPick = (presets: readonly RulePreset[], standing: Pick<AccountStanding, 'name' | 'firm' | 'stage'> | null, used: RulePreset | null = null): PresetPicking => {
  const [picked, setPicked] = useState<PresetPick | null>(null)
  const firm = standing?.firm ?? null
  const ofFirm = firm !== null && presets.some((preset) => preset.firm === firm) ? { firm, phase: standing?.stage === 'funded' ? ('funded' as const) : ('evaluation' as const) } : {}
  const begun: PresetPick = picked ?? used ?? { ...ofFirm, size: sizeInName(standing?.name ?? '') }
  return { choices: narrowPresets(presets, begun), choose: (more) => { setPicked({ firm: begun.firm, plan: begun.plan, size: begun.size, phase: begun.phase, ...more }) } }
}

/** Picks a firm's public rules: firm, plan, size, and whether before or after the evaluation. */
export const PresetPicker = ({ presets, picking }: { presets: readonly RulePreset[]; picking: PresetPicking }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const { choices: { firms, plans, sizes, phases, pick }, choose } = picking
  const sizeName = (size: string): string => format.wholeMoney(size, presets.find((preset) => preset.size === size)?.set.currency ?? 'USD')
  const options = {
    plan: plans.map((value) => ({ value, label: value })),
    size: sizes.map((value) => ({ value, label: sizeName(value) })),
    phase: phases.map((value) => ({ value, label: t(`phase.${value}`) })),
  }
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <Field label={t('preset.firm')}>
        {(field) => (
          <Select
            {...field}
            className="w-full"
            value={pick.firm}
            onChange={(next) => { choose({ firm: next }) }}
            placeholder={t('preset.choose')}
            options={firms.map(firmOption)}
          />
        )}
      </Field>
      {fieldOrder.map((name) => (
        <Field key={name} label={t(`preset.${name}`)}>
          {(field) => (
            <Select<string> {...field} className="w-full" disabled={options[name].length === 0} value={pick[name]} onChange={(next) => { choose({ [name]: next }) }} placeholder={t('preset.choose')} options={options[name]} />
          )}
        </Field>
      ))}
    </div>
  )
}

/** The picked properties of a preset so far. */
type PresetPick = { readonly firm?: RulePreset['firm'] | undefined; readonly plan?: string | undefined; readonly size?: string | undefined; readonly phase?: RulePreset['phase'] | undefined }

/** The next choices, and the preset once it is unambiguous. */
type PresetChoices = { readonly firms: readonly RulePreset['firm'][]; readonly plans: readonly string[]; readonly sizes: readonly string[]; readonly phases: readonly RulePreset['phase'][]; readonly pick: PresetPick; readonly preset: RulePreset | null }

const unlike = <T,>(values: readonly T[]): T[] => [...new Set(values)]
// Drops a pick that no longer fits; picks the only remaining choice.
const kept = <T,>(picked: T | undefined, offered: readonly T[]): T | undefined => (picked !== undefined && offered.includes(picked) ? picked : offered.length === 1 ? offered[0] : undefined)

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
