import { Field, Input } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleSwitch } from './rules-form-schema.ts'
import type { RuleField, RulesDraft } from './use-rules-form.ts'

/** One rule of the form: its switch, its explanation, and its fields while it is on. */
export const RuleSection = ({ rule, on, onSwitch, children }: { rule: RuleSwitch; on: boolean; onSwitch: (on: boolean) => void; children?: ReactNode }) => {
  const { t } = useTranslation('rules')
  const id = useId()
  return (
    <div role="group" aria-labelledby={`${id}-name`} className="grid grid-cols-[1fr] gap-x-6 gap-y-3 border-t border-hairline px-4 py-3.5 xl:grid-cols-[19rem_1fr]">
      <div className="flex items-start gap-3">
        <Switch aria-label={t(`form.${rule}`)} aria-describedby={`${id}-text`} checked={on} onChange={onSwitch} />
        <span className="min-w-0">
          <span id={`${id}-name`} className="block font-medium">{t(`form.${rule}`)}</span>
          <span id={`${id}-text`} className="block text-sm text-faint">{t(`form.${rule}-text`)}</span>
        </span>
      </div>
      {on && children !== undefined && <div className="flex min-w-0 flex-wrap items-start gap-3 max-xl:pl-12">{children}</div>}
    </div>
  )
}

/** Returns the message for a field of the form; null without an error. */
export const useFieldError = ({ errorOf }: RulesDraft): ((name: RuleField) => string | null) => {
  const { t } = useTranslation('rules')
  return (name) => {
    const fault = errorOf(name)
    return fault === undefined ? null : t(`fault.${fault}`)
  }
}

/** A number field of a rule. */
export const FigureField = ({ draft, name, label, hint, mode = 'decimal', placeholder }: { draft: RulesDraft; name: RuleField; label: string; hint?: string; mode?: 'decimal' | 'numeric' | 'text'; placeholder?: string }) => {
  const fieldError = useFieldError(draft)
  return (
    <Field label={label} hint={hint} error={fieldError(name)} className="w-44">
      {(field) => <Input {...field} {...draft.register(name)} inputMode={mode} autoComplete="off" maxLength={20} placeholder={placeholder} />}
    </Field>
  )
}

/** A choice of a rule. */
export const ChoiceField = <V extends string>({ label, value, options, onChange }: { label: string; value: V; options: readonly { readonly value: V; readonly label: string }[]; onChange: (value: V) => void }) => (
  <Field label={label} className="w-60">
    {(field) => <Select {...field} className="w-full" value={value} onChange={onChange} options={options} />}
  </Field>
)
