import { useFormat } from '#renderer/lib/use-format.ts'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { ImportPreviewAnswer } from '#shared/api/imports.ts'
import type { DateOrder } from '#shared/imports/date-order.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ZoneChoice } from './zone-choice.tsx'

/** What is chosen before an import, by upload: `accounts` holds whose the rows are that name none, `dates` how dates begin. */
export type Chosen = { readonly zone: string; readonly accounts: Readonly<Record<string, string>>; readonly dates: ReadonlyMap<string, DateOrder> }

/** A file of which it is asked, or may be said otherwise, whose its rows are. */
export type AskedFile = { readonly upload: string; readonly name: string; readonly rows: number; /** Where its fills are found, which the user may know better; null where nowhere. */ readonly found: string | null }

/** The files of which no id of a fill says whose they are; their names are those of `uploads`. */
export const askedFiles = ({ unnamed }: ImportPreviewAnswer, uploads: readonly { readonly id: string; readonly name: string }[]): readonly AskedFile[] =>
  unnamed.files.flatMap(({ place, by, rows, left, placed }) => {
    const upload = uploads[place]
    return upload === undefined || by === 'ids' ? [] : [{ upload: upload.id, name: upload.name, rows: left > 0 ? left : rows, found: left > 0 ? null : (placed[0]?.name ?? null) }]
  })

/** Asks for what the files do not tell: the zone of local times, and of each file that names no account whose it is. Nothing shows where they tell all. */
export const Choices = ({
  answer,
  asked,
  chosen,
  likely,
  accounts,
  disabled,
  onChange,
}: {
  answer: ImportPreviewAnswer
  asked: readonly AskedFile[]
  chosen: Chosen
  likely: readonly string[]
  accounts: readonly string[]
  disabled: boolean
  onChange: (chosen: Chosen) => void
}) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const needsZone = answer.files.some((file) => file.needsZone)
  if (!needsZone && asked.length === 0) return null
  const names = [...new Set([...accounts, ...answer.accounts.map(({ name }) => name)])]
  return (
    <div className="flex flex-col gap-3.5 border-b border-hairline px-4 py-3.5">
      {needsZone && (
        <Field label={t('zone')} hint={t('zone-hint')} className="max-w-96">
          {({ id, 'aria-describedby': note }) => (
            <ZoneChoice id={id} aria-describedby={note} value={chosen.zone} likely={likely} disabled={disabled} onChange={(zone) => { onChange({ ...chosen, zone }) }} />
          )}
        </Field>
      )}
      {asked.map(({ upload, name, rows, found }) => (
        <AccountChoice
          key={upload}
          file={name}
          hint={found === null ? t('account-hint', { count: rows, shown: format.count(rows) }) : t('account-found', { account: found })}
          accounts={names}
          value={chosen.accounts[upload] ?? found ?? ''}
          disabled={disabled}
          onChange={(account) => { onChange({ ...chosen, accounts: { ...chosen.accounts, [upload]: account } }) }}
        />
      ))}
    </div>
  )
}

// No account is named so: names are trimmed.
const another = ' another'

const AccountChoice = ({ file, hint, accounts, value, disabled, onChange }: { file: string; hint: string; accounts: readonly string[]; value: string; disabled: boolean; onChange: (account: string) => void }) => {
  const { t } = useTranslation('import')
  const [chosen, setChosen] = useState(false)
  const [text, setText] = useState('')
  const typing = chosen || accounts.length === 0 || (value !== '' && !accounts.includes(value))
  const settle = (): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      {accounts.length > 0 && (
        <Field label={t('account-of', { file })} hint={hint} className="max-w-96">
          {(field) => (
            <Select
              {...field}
              className="w-60"
              disabled={disabled}
              placeholder={t('account-choose')}
              value={typing ? another : value === '' ? undefined : value}
              options={[...accounts.map((name) => ({ value: name, label: name })), { value: another, label: t('account-another') }]}
              onChange={(next) => {
                setChosen(next === another)
                onChange(next === another ? text.trim() : next)
              }}
            />
          )}
        </Field>
      )}
      {typing && (
        <Field label={t('account-name', { file })} hint={accounts.length > 0 ? undefined : hint} className="max-w-96">
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
