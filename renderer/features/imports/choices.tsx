import { useFormat } from '#renderer/lib/use-format.ts'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { ImportPreviewAnswer } from '#shared/api/imports.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ZoneChoice } from './zone-choice.tsx'

/** What is chosen before an import; `account` is empty until it is. */
export type Chosen = { readonly zone: string; readonly account: string }

/** Asks for what the files do not tell: the zone of local times, and whose the rows are that name no account. Nothing shows where they tell all. */
export const Choices = ({
  answer,
  chosen,
  likely,
  accounts,
  disabled,
  onChange,
}: {
  answer: ImportPreviewAnswer
  chosen: Chosen
  likely: readonly string[]
  accounts: readonly string[]
  disabled: boolean
  onChange: (chosen: Chosen) => void
}) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const needsZone = answer.files.some((file) => file.needsZone)
  const { left } = answer.unnamed
  if (!needsZone && left === 0) return null
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-3.5 border-b border-hairline px-4 py-3.5">
      {needsZone && (
        <Field label={t('zone')} hint={t('zone-hint')} className="max-w-96">
          {({ id, 'aria-describedby': note }) => (
            <ZoneChoice id={id} aria-describedby={note} value={chosen.zone} likely={likely} disabled={disabled} onChange={(zone) => { onChange({ ...chosen, zone }) }} />
          )}
        </Field>
      )}
      {left > 0 && (
        <AccountChoice
          hint={t('account-hint', { count: left, shown: format.count(left) })}
          accounts={accounts}
          value={chosen.account}
          disabled={disabled}
          onChange={(account) => { onChange({ ...chosen, account }) }}
        />
      )}
    </div>
  )
}

// No account is named so: names are trimmed.
const another = ' another'

const AccountChoice = ({ hint, accounts, value, disabled, onChange }: { hint: string; accounts: readonly string[]; value: string; disabled: boolean; onChange: (account: string) => void }) => {
  const { t } = useTranslation('import')
  const [typing, setTyping] = useState(accounts.length === 0)
  const [text, setText] = useState('')
  const settle = (): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      {accounts.length > 0 && (
        <Field label={t('account')} hint={hint} className="max-w-96">
          {(field) => (
            <Select
              {...field}
              className="w-60"
              disabled={disabled}
              placeholder={t('account-choose')}
              value={typing ? another : value === '' ? undefined : value}
              options={[...accounts.map((name) => ({ value: name, label: name })), { value: another, label: t('account-another') }]}
              onChange={(next) => {
                setTyping(next === another)
                onChange(next === another ? text.trim() : next)
              }}
            />
          )}
        </Field>
      )}
      {typing && (
        <Field label={t('account-name')} hint={accounts.length > 0 ? undefined : hint} className="max-w-96">
          {(field) => (
            <Input
              {...field}
              className="w-60"
              maxLength={200}
              disabled={disabled}
              value={text}
              onChange={(event) => { setText(event.target.value) }}
              onBlur={settle}
              onKeyDown={(event) => { if (event.key === 'Enter') settle() }}
            />
          )}
        </Field>
      )}
    </div>
  )
}
