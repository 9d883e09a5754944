import { useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import type { ModelSettings } from '#shared/api/reports.ts'
import { CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { modelDraftOf, originOf, providers, readModel, withProvider, type ModelDraft } from './model-draft.ts'
import { useSaveModel, useTryModel } from './use-report-calls.ts'

const listed = 5

/** Which language model writes narratives: its endpoint, its name, its key, which can only be written, and what it costs. */
export const ModelDialog = ({ kept, onClose }: { kept: ModelSettings | null; onClose: () => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useProblemText()
  const formId = useId()
  const modelsId = useId()
  const [draft, setDraft] = useState(() => modelDraftOf(kept))
  const [checked, setChecked] = useState(false)
  const [asksRemoval, askRemoval] = useState(false)
  const save = useSaveModel()
  const attempt = useTryModel()
  const { model, problems } = readModel(draft)
  const busy = save.isPending || attempt.isPending
  const change = (more: Partial<ModelDraft>): void => {
    setDraft({ ...draft, ...more })
    attempt.reset()
  }
  const keep = (then: () => void): void => {
    setChecked(true)
    if (model === null || busy) return
    save.mutate(model, {
      onSuccess: () => {
        setDraft((now) => ({ ...now, key: '', forgetsKey: false }))
        then()
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('model.title')}
      description={t('model.text')}
      footer={
        asksRemoval ? (
          <>
            <p className="mr-auto text-muted">{t('model.remove-asks')}</p>
            <Button variant="outline" onClick={() => { askRemoval(false) }}>
              {t('cancel')}
            </Button>
            <Button variant="destructive" autoFocus busy={save.isPending} onClick={() => { save.mutate(null, { onSuccess: onClose }) }}>
              {t('model.remove')}
            </Button>
          </>
        ) : (
          <>
            {kept !== null && (
              <Button variant="ghost" className="mr-auto" disabled={busy} onClick={() => { askRemoval(true) }}>
                {t('model.remove')}
              </Button>
            )}
            <Button variant="outline" busy={attempt.isPending} disabled={busy} onClick={() => { keep(() => { attempt.mutate() }) }}>
              {t('model.try')}
            </Button>
            <Button type="submit" form={formId} busy={save.isPending} disabled={busy}>
              {t('model.save')}
            </Button>
          </>
        )
      }
    >
      <form
        id={formId}
        noValidate
        aria-label={t('model.title')}
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          keep(onClose)
        }}
      >
        <div className="grid grid-cols-[12rem_minmax(0,1fr)] gap-3">
          <Field label={t('model.provider')}>{(field) => <Select {...field} value={draft.provider} onChange={(provider) => { setDraft(withProvider(draft, provider)); attempt.reset() }} options={providers.map((value) => ({ value, label: t(`model.of.${value}`) }))} />}</Field>
          <Field label={t('model.base-url')} error={checked && problems.baseUrl !== undefined ? t(`model.problem.${problems.baseUrl}`) : null}>
            {(field) => <Input {...field} type="url" autoComplete="off" maxLength={500} value={draft.baseUrl} onChange={({ target }) => { change({ baseUrl: target.value, provider: 'other' }) }} />}
          </Field>
        </div>
        <Field label={t('model.name')} hint={t(`model.name-hint.${draft.provider}`)} error={checked && problems.model !== undefined ? t(`model.problem.${problems.model}`) : null}>
          {(field) => <Input {...field} list={modelsId} autoComplete="off" maxLength={200} value={draft.model} onChange={({ target }) => { change({ model: target.value }) }} />}
        </Field>
        <datalist id={modelsId}>
          {attempt.data?.models.map((name) => <option key={name} value={name} />)}
        </datalist>
        <Key draft={draft} kept={kept} error={checked && problems.key !== undefined ? t(`model.problem.${problems.key}`) : null} onChange={change} />
        <fieldset className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_6rem] gap-3">
          <legend className="mb-1.5 text-sm text-muted">{t('model.prices')}</legend>
          <Field label={t('model.input')} error={checked && problems.input !== undefined ? t(`model.problem.${problems.input}`) : null}>
            {(field) => <Input {...field} inputMode="decimal" autoComplete="off" maxLength={14} value={draft.input} onChange={({ target }) => { change({ input: target.value }) }} />}
          </Field>
          <Field label={t('model.output')} error={checked && problems.output !== undefined ? t(`model.problem.${problems.output}`) : null}>
            {(field) => <Input {...field} inputMode="decimal" autoComplete="off" maxLength={14} value={draft.output} onChange={({ target }) => { change({ output: target.value }) }} />}
          </Field>
          <Field label={t('model.currency')} error={checked && problems.currency !== undefined ? t(`model.problem.${problems.currency}`) : null}>
            {(field) => <Input {...field} autoComplete="off" maxLength={3} value={draft.currency} onChange={({ target }) => { change({ currency: target.value }) }} />}
          </Field>
        </fieldset>
        {save.isError && <Notice tone="error">{words(save.error)}</Notice>}
        {attempt.isError && <Notice tone="error">{words(attempt.error)}</Notice>}
        {attempt.data !== undefined && <Result ok={attempt.data.ok} failure={attempt.data.failure} models={attempt.data.models} model={draft.model.trim()} />}
      </form>
    </Dialog>
  )
}

const Key = ({ draft, kept, error, onChange }: { draft: ModelDraft; kept: ModelSettings | null; error: string | null; onChange: (more: Partial<ModelDraft>) => void }) => {
  const { t } = useTranslation('ai-report')
  const boxId = useId()
  const secrets = useSession().session?.secrets ?? 'file'
  const has = kept?.hasKey === true
  const moved = has && originOf(draft.baseUrl.trim()) !== originOf(kept.baseUrl)
  const hint = moved ? t('model.key-moved') : has ? t('model.key-kept', { where: t(`model.secrets.${secrets}`) }) : draft.provider === 'ollama' ? t('model.key-none') : t('model.key-where', { where: t(`model.secrets.${secrets}`) })
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('model.key')} hint={hint} error={error}>
        {(field) => <Input {...field} type="password" autoComplete="off" maxLength={1000} disabled={draft.forgetsKey} value={draft.key} onChange={({ target }) => { onChange({ key: target.value }) }} />}
      </Field>
      {has && !moved && (
        <label htmlFor={boxId} className="flex cursor-pointer items-center gap-2 self-start text-muted">
          <Checkbox id={boxId} checked={draft.forgetsKey} onChange={(forgetsKey) => { onChange({ forgetsKey, key: '' }) }} />
          {t('model.forget-key')}
        </label>
      )}
    </div>
  )
}

type ResultProps = { readonly ok: boolean; readonly failure: NonNullable<ReturnType<typeof useTryModel>['data']>['failure']; readonly models: readonly string[]; readonly model: string }

const Result = ({ ok, failure, models, model }: ResultProps) => {
  const { t } = useTranslation('ai-report')
  if (!ok) return <Notice tone="error">{t(`failure.${failure ?? 'internal'}`)}</Notice>
  return (
    <p role="status" className="flex items-start gap-2 rounded-md bg-gain-tint px-3 py-2">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-gain" />
      <span className="min-w-0 wrap-anywhere">
        {t('model.works', { model })} {models.length > 0 && t('model.offers', { count: models.length, models: [...models.slice(0, listed), ...(models.length > listed ? ['…'] : [])].join(', ') })}
      </span>
    </p>
  )
}
