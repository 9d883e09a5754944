import { apiQuery } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import type { CopyGroup } from '#shared/api/copier.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { candidatesOf, mayLead } from './candidates.ts'
import { leavingOf } from './draft.ts'
import { FollowerPicker } from './follower-picker.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SwitchChoice } from './switch-choice.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useGroupForm } from './use-group-form.ts'

/** How a group copies, each with its safe choice first. */
const policies = [
  { name: 'mode', values: ['fills', 'orders'] },
  { name: 'unprotected', values: ['keep', 'flatten'] },
  { name: 'leftExits', values: ['keep', 'cancel'] },
] as const

/** Creates or edits a group: its leader, its followers and how they follow. An error shows at its field. */
export const GroupEditor = ({ group, groups, armed, used, limit, onClose }: { group: CopyGroup | null; groups: readonly CopyGroup[]; armed: boolean; used: number; limit: number; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const problemText = useProblemText()
  const { nameOf } = useAccountNames()
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const candidates = candidatesOf(data?.accounts ?? [], groups, group?.id ?? null)
  const form = useGroupForm(group, onClose)
  const [opened] = useState(() => JSON.stringify(group))
  const stored = groups.find(({ id }) => id === group?.id)
  const isStale = stored !== undefined && JSON.stringify(stored) !== opened && !form.busy
  const { typed, errors, shown, set, errorOf } = form
  const { leader, followers } = typed
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The error may be out of view.
    fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])
  const at = followers.findIndex(({ account }) => account === shown)
  const rule = followers[at]
  const wrong = followers.filter((_, place) => errors.followers?.[place] !== undefined).map(({ account }) => account)
  const followersError = [errorOf('followers'), ...followers.map((_, place) => errorOf(`followers.${place}.account`))].find((text) => text !== null)
  const leaving = group === null ? [] : leavingOf(group, typed)
  const taken = used - (group?.followers.length ?? 0) + followers.length
  return (
    <Dialog
      open
      width="lg"
      onClose={onClose}
      title={group === null ? t('editor.new') : t('editor.edit', { group: group.name })}
      footer={
        <>
          <span className={taken > limit ? 'mr-auto text-sm text-warn' : 'mr-auto text-sm text-faint'}>{t('editor.accounts', { used: taken, limit })}</span>
          <AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t('editor.save')} busy={form.busy} onClick={() => void form.save()} />
        </>
      }
    >
      <div ref={fields} className="flex flex-col gap-4">
        {armed && <Notice tone="warn">{t('editor.armed')}</Notice>}
        {isStale && <Notice tone="warn">{t('editor.changed')}</Notice>}
        {form.failure !== null && <Notice tone="error">{problemText(form.failure)}</Notice>}
        <div className="grid grid-cols-2 gap-4">
          <Field label={t('editor.name')} error={errorOf('name')}>
            {(field) => <Input {...field} autoFocus={group === null} maxLength={200} {...form.register('name')} />}
          </Field>
          <Field label={t('leader')} hint={t('editor.leader-hint')} error={errorOf('leader')}>
            {(field) => (
              <Select
                {...field}
                className="w-full"
                disabled={armed}
                value={leader ?? undefined}
                onChange={(next) => {
                  set('leader', next)
                  set('followers', followers.filter(({ account }) => account !== next))
                }}
                placeholder={t('editor.choose')}
                options={candidates.filter(mayLead).map(({ account }) => ({ value: account.id, label: account.name }))}
              />
            )}
          </Field>
        </div>
        <div className="grid grid-cols-2 gap-4">
          <SwitchChoice label={t('editor.exits')} text={t('editor.exits-text')} checked={typed.exits} onChange={(next) => { set('exits', next) }} />
          <SwitchChoice label={t('dry-run')} text={t('editor.dry-text')} checked={typed.dryRun} disabled={armed} onChange={(next) => { set('dryRun', next) }} />
        </div>
        <div className="grid grid-cols-[0.8fr_1.2fr_1fr] gap-4">
          {policies.map(({ name, values }) => (
            <Field key={name} label={t(`editor.${name}.label`)} hint={t(`editor.${name}.${typed[name]}-text`)}>
              {(field) => <Select {...field} className="w-full" value={typed[name]} onChange={(next) => { set(name, next) }} options={values.map((value) => ({ value, label: t(`editor.${name}.${value}`) }))} />}
            </Field>
          ))}
        </div>
        <div className="grid min-h-96 grid-cols-[17rem_1fr] overflow-hidden rounded-lg border border-line">
          <FollowerPicker
            candidates={candidates.filter(({ account }) => account.id !== leader)}
            followers={followers}
            wrong={wrong}
            shown={shown}
            onShow={form.show}
            onChange={(next) => { set('followers', next) }}
          />
          <div className="min-w-0 border-l border-line p-4">
            {rule === undefined ? (
              <p className="text-muted">{followers.length === 0 ? t('editor.pick') : t('editor.pick-shown')}</p>
            ) : (
              // A place that another follower takes gets inputs of its own.
              <RuleFields key={`${String(at)} ${rule.account}`} form={form} at={at} rule={rule} />
            )}
          </div>
        </div>
        {armed && group !== null && !group.dryRun && leaving.length > 0 && <Notice tone="warn">{t(`editor.leaves.${typed.leftExits}`, { accounts: leaving.map(nameOf).join(', '), count: leaving.length })}</Notice>}
        {followersError !== undefined && (
          <p role="alert" className="text-sm text-loss">
            {followersError}
          </p>
        )}
      </div>
    </Dialog>
  )
}
