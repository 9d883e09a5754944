import { useFormat } from '#renderer/lib/use-format.ts'
import { Field } from '#renderer/ui/field.tsx'
import type { ImportPreviewAnswer } from '#shared/api/imports.ts'
import { useTranslation } from 'react-i18next'
import { AccountChoice } from './account-choice.tsx'
import type { DraftChoices } from './use-draft.ts'
import { ZoneChoice } from './zone-choice.tsx'

/** The choices before an import; `zone` is never null. */
export type Chosen = DraftChoices & { readonly zone: string }

/** A file whose account the user has to choose, or may change. */
export type FileInQuestion = {
  readonly upload: string
  readonly name: string
  readonly rows: number
  /** The account in which its fills are found, which the user may correct; null if in none. */
  readonly found: string | null
}

/** Files whose fill ids do not show their account, by their names in `uploads`. */
export const askedFiles = ({ unnamed }: ImportPreviewAnswer, uploads: readonly { readonly id: string; readonly name: string }[]): readonly FileInQuestion[] =>
  unnamed.files.flatMap(({ place, by, rows, left, placed }) => {
    const upload = uploads[place]
    if (upload === undefined || by === 'ids') return []
    const [found] = left > 0 ? [] : placed
    return [{ upload: upload.id, name: upload.name, rows: left > 0 ? left : rows, found: found?.name ?? null }]
  })

/** Asks for what the files do not say: the zone of local times, and the account of each file that names none. Nothing shows if they say all. */
export const Choices = ({ answer, asked, chosen, likely, accounts, disabled, onChange }: {
  answer: ImportPreviewAnswer
  asked: readonly FileInQuestion[]
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
  const hintOf = (account: string, rows: number, found: string | null): string => {
    const counted = { count: rows, shown: format.count(rows) }
    if (account !== '') return t(names.includes(account) ? 'account-known' : 'account-new', counted)
    return found === null ? t('account-hint', counted) : t('account-found', { account: found })
  }
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
          hint={hintOf(chosen.accounts.get(upload)?.trim() ?? '', rows, found)}
          accounts={names}
          value={chosen.accounts.get(upload) ?? found ?? ''}
          disabled={disabled}
          onChange={(account) => { onChange({ ...chosen, accounts: new Map(chosen.accounts).set(upload, account) }) }}
        />
      ))}
    </div>
  )
}
