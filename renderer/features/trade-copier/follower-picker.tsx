import { classNames } from '#renderer/lib/class-names.ts'
import { Input } from '#renderer/ui/field.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { CircleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Candidate } from './candidates.ts'
import { newRule, type TypedRule } from './draft.ts'

const searchedFrom = 8

type Props = {
  readonly candidates: readonly Candidate[]
  readonly followers: readonly TypedRule[]
  /** The followers that have an error. */
  readonly wrong: readonly string[]
  /** The follower whose settings show beside the list. */
  readonly shown: string | null
  readonly onShow: (account: string) => void
  readonly onChange: (followers: TypedRule[]) => void
}

/** The accounts that can follow, as checkboxes; clicking a name checks it, and that of a checked one shows its settings. One that follows another group may follow here too, with other products. */
export const FollowerPicker = ({ candidates, followers, wrong, shown, onShow, onChange }: Props) => {
  const { t } = useTranslation('trade-copier')
  const [part, setPart] = useState('')
  const ids = useId()
  const fits = ({ account }: Candidate): boolean => [account.name, account.firm ?? '', account.loginName].some((text) => text.toLowerCase().includes(part.trim().toLowerCase()))
  const tick = (account: string, on: boolean): void => {
    if (!on) return onChange(followers.filter((one) => one.account !== account))
    // A new follower usually trades like the previous ones.
    const pattern = followers.at(-1)
    onChange([...followers, pattern === undefined ? newRule(account) : { ...pattern, account, on: true }])
    onShow(account)
  }
  return (
    <div className="flex min-w-0 flex-col">
      <p className="flex h-9 items-center border-b border-hairline px-3 text-sm font-medium text-muted">{t('editor.followers', { count: followers.length })}</p>
      {candidates.length >= searchedFrom && (
        <div className="p-2 pb-1">
          <Input type="search" aria-label={t('editor.search')} placeholder={t('editor.search')} value={part} onChange={({ target }) => { setPart(target.value) }} />
        </div>
      )}
      {candidates.length === 0 && <p className="px-3 py-2 text-sm text-faint">{t('editor.nobody')}</p>}
      <ul aria-label={t('editor.followers-list')} className="h-0 min-h-64 grow overflow-y-auto py-1">
        {candidates.filter(fits).map(({ account, foreign, takenBy }) => {
          const rule = followers.find((one) => one.account === account.id)
          const own = [account.firm ?? account.loginName, t(`environment.${account.environment}`), ...(rule?.on === false ? [t('standing.off')] : [])].join(' · ')
          const about = foreign !== null ? t('editor.foreign', { platform: foreign }) : takenBy !== null ? t(`editor.taken-${takenBy.as}`, { group: takenBy.group }) : own
          const off = (foreign !== null || takenBy?.as === 'leader') && rule === undefined
          const boxId = `${ids} ${account.id}`
          const words = (
            <>
              <span className="flex items-center gap-1.5">
                <span className={classNames('truncate proportional-nums', rule === undefined && 'text-muted')}>{account.name}</span>
                {wrong.includes(account.id) && <CircleAlert role="img" aria-label={t('editor.wrong')} className="size-3.5 shrink-0 text-loss" />}
              </span>
              <span title={about} className={classNames('block truncate text-sm', account.id === shown ? 'text-muted' : 'text-faint')}>{about}</span>
            </>
          )
          return (
            <li key={account.id} className={classNames('flex items-center gap-2.5 px-3 py-1', account.id === shown && rule !== undefined && 'bg-accent-tint')}>
              <Checkbox id={boxId} checked={rule !== undefined} disabled={off} onChange={(on) => { tick(account.id, on) }} aria-label={t('editor.follows', { account: account.name })} />
              {rule === undefined ? (
                <label htmlFor={boxId} className={classNames('min-w-0 grow px-1 py-0.5', off && 'cursor-not-allowed')}>{words}</label>
              ) : (
                <button type="button" aria-pressed={account.id === shown} onClick={() => { onShow(account.id) }} className="min-w-0 grow rounded-sm px-1 py-0.5 text-left">{words}</button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
