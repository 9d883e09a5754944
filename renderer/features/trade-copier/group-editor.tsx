import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select, type SelectOption } from '#renderer/ui/select.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { copierRoutes, type CopyGroup, type GroupDraft } from '#shared/api/copier.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { candidatesOf, mayLead } from './candidates.ts'
import { faultOf, formOf, leavingOf, newGroup, readGroup, sameForAll, type Fault, type GroupForm } from './draft.ts'
import { FollowerPicker } from './follower-picker.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SwitchChoice } from './switch-choice.tsx'
import { useAccountNames } from './use-account-names.ts'

/** Creates or edits a group: its leader, its followers and how they follow. An error shows at its field. */
export const GroupEditor = ({ group, groups, armed, used, limit, onClose }: { group: CopyGroup | null; groups: readonly CopyGroup[]; armed: boolean; used: number; limit: number; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const problemText = useProblemText()
  const faultText = useFaultText()
  const { nameOf } = useAccountNames()
  const client = useQueryClient()
  const { data } = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const candidates = candidatesOf(data?.accounts ?? [], groups, group?.id ?? null)
  const [form, setForm] = useState<GroupForm>(group === null ? newGroup : formOf(group))
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [shown, setShown] = useState(form.followers[0]?.account ?? null)
  const change = (more: Partial<GroupForm>): void => {
    setForm((known) => ({ ...known, ...more }))
    setFaults([])
  }
  const complain = (found: readonly Fault[]): void => {
    setFaults(found)
    const account = found.find((fault) => fault.account !== null && form.followers.some((one) => one.account === fault.account))?.account ?? null
    if (account !== null) setShown(account)
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: (draft: GroupDraft) => callApi(copierRoutes.saveGroup, { body: { id: group?.id ?? null, draft } }),
    onSuccess: ({ fault }) => {
      if (fault !== null) return complain([faultOf(fault, form)])
      onClose()
      return invalidateRoutes(client, copierRoutes.copier)
    },
  })
  const save = (): void => {
    const read = readGroup(form)
    complain(read.faults)
    if (read.draft !== null) mutate(read.draft)
  }
  const faultAt = (field: Fault['field'], account: string | null = null): string | null => {
    const found = faults.find((fault) => fault.field === field && (account === null || fault.account === account))
    return found === undefined ? null : faultText(found)
  }
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The error may be out of view.
    if (faults.length > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [faults])
  const rule = form.followers.find(({ account }) => account === shown) ?? null
  const leaving = group === null ? [] : leavingOf(group, form)
  const taken = used - (group?.followers.length ?? 0) + form.followers.length
  return (
    <Dialog
      open
      width="lg"
      onClose={onClose}
      title={group === null ? t('editor.new') : t('editor.edit', { group: group.name })}
      footer={
        <>
          <span className={taken > limit ? 'mr-auto text-sm text-warn' : 'mr-auto text-sm text-faint'}>{t('editor.accounts', { used: taken, limit })}</span>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button busy={isPending} onClick={save}>
            {t('editor.save')}
          </Button>
        </>
      }
    >
      <div ref={fields} className="flex flex-col gap-4">
        {armed && <Notice tone="warn">{t('editor.armed')}</Notice>}
        {error !== null && <Notice tone="error">{problemText(error)}</Notice>}
        <div className="grid grid-cols-2 gap-4">
          <Field label={t('editor.name')} error={faultAt('name')}>
            {(field) => <Input {...field} autoFocus={group === null} maxLength={200} value={form.name} onChange={({ target }) => { change({ name: target.value }) }} />}
          </Field>
          <Field label={t('leader')} hint={t('editor.leader-hint')} error={faultAt('leader')}>
            {(field) => (
              <Select
                {...field}
                className="w-full"
                disabled={armed}
                value={form.leader ?? undefined}
                onChange={(leader) => { change({ leader, followers: form.followers.filter(({ account }) => account !== leader) }) }}
                placeholder={t('editor.choose')}
                options={candidates.filter(mayLead).map(({ account }) => ({ value: account.id, label: account.name }))}
              />
            )}
          </Field>
        </div>
        <div className="grid grid-cols-2 gap-4">
          <SwitchChoice label={t('editor.exits')} text={t('editor.exits-text')} checked={form.exits} onChange={(exits) => { change({ exits }) }} />
          <SwitchChoice label={t('dry-run')} text={t('editor.dry-text')} checked={form.dryRun} disabled={armed} onChange={(dryRun) => { change({ dryRun }) }} />
        </div>
        <div className="grid grid-cols-[0.8fr_1.2fr_1fr] gap-4">
          <Policy label={t('editor.mode.label')} hint={t(`editor.mode.${form.mode}-text`)} value={form.mode} onChange={(mode) => { change({ mode }) }} options={(['fills', 'orders'] as const).map((value) => ({ value, label: t(`editor.mode.${value}`) }))} />
          <Policy label={t('editor.unprotected.label')} hint={t(`editor.unprotected.${form.unprotected}-text`)} value={form.unprotected} onChange={(unprotected) => { change({ unprotected }) }} options={(['keep', 'flatten'] as const).map((value) => ({ value, label: t(`editor.unprotected.${value}`) }))} />
          <Policy label={t('editor.leftExits.label')} hint={t(`editor.leftExits.${form.leftExits}-text`)} value={form.leftExits} onChange={(leftExits) => { change({ leftExits }) }} options={(['keep', 'cancel'] as const).map((value) => ({ value, label: t(`editor.leftExits.${value}`) }))} />
        </div>
        <div className="grid min-h-96 grid-cols-[17rem_1fr] overflow-hidden rounded-lg border border-line">
          <FollowerPicker
            candidates={candidates.filter(({ account }) => account.id !== form.leader)}
            followers={form.followers}
            faults={faults}
            shown={shown}
            onShow={setShown}
            onChange={(followers) => { change({ followers }) }}
          />
          <div className="min-w-0 border-l border-line p-4">
            {rule === null ? (
              <p className="text-muted">{form.followers.length === 0 ? t('editor.pick') : t('editor.pick-shown')}</p>
            ) : (
              <RuleFields
                key={rule.account}
                rule={rule}
                faultAt={(field) => faultAt(field, rule.account)}
                onChange={(next) => { change({ followers: form.followers.map((one) => (one.account === next.account ? next : one)) }) }}
                onForAll={form.followers.length > 1 ? () => { change({ followers: sameForAll(form.followers, rule.account) }) } : null}
              />
            )}
          </div>
        </div>
        {armed && group !== null && !group.dryRun && leaving.length > 0 && <Notice tone="warn">{t(`editor.leaves.${form.leftExits}`, { accounts: leaving.map(nameOf).join(', '), count: leaving.length })}</Notice>}
        {faultAt('followers') !== null && (
          <p role="alert" className="text-sm text-loss">
            {faultAt('followers')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** One of the group's policies, the safe choice first, with what the chosen one does below. */
const Policy = <V extends string>({ label, hint, ...select }: { label: string; hint: string; value: V; options: readonly SelectOption<V>[]; onChange: (value: V) => void }) => (
  <Field label={label} hint={hint}>
    {(field) => <Select {...field} {...select} className="w-full" />}
  </Field>
)

/** Returns the message for a group's error: what is wrong, and what to do about it. */
const useFaultText = (): ((fault: Fault) => string) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  return ({ field, code, account, limit }) => (code === 'missing' ? t(`fault.missing-${field}`) : t(`fault.${code}`, { account: account === null ? '' : nameOf(account), limit: limit ?? 0 }))
}
