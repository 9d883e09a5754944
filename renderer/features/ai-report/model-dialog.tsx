import { useSession } from '#renderer/lib/session.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import type { ModelSettings } from '#shared/api/reports.ts'
import { CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm, type UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { addresses, modelFields, originOf, providers, typedModel, type TypedModel } from './model-fields.ts'
import { useSaveModel, useTryModel } from './use-report-calls.ts'

const listed = 5
const resolver = resolverOf(modelFields)

/** The language model for narratives: its endpoint, its name, its write-only key, and its prices. */
export const ModelDialog = ({ kept, onClose }: { kept: ModelSettings | null; onClose: () => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useProblemText()
  const formId = useId()
  const modelsId = useId()
  const { register, setValues, watch, handleSubmit, formState } = useForm({ resolver, shouldFocusError: false, defaultValues: typedModel(kept) })
  const { errors, isSubmitted } = formState
  const typed = watch()
  const [asksRemoval, askRemoval] = useState(false)
  const save = useSaveModel()
  const attempt = useTryModel()
  const busy = save.isPending || attempt.isPending
  const errorOf = (field: keyof TypedModel): string | undefined => errors[field] && t(`model.problem.${errors[field].message ?? ''}`)
  const set = (changes: Partial<TypedModel>): void => {
    setValues(changes, { shouldValidate: isSubmitted })
    attempt.reset()
  }
  const keep = (then: () => void) =>
    handleSubmit((model) => {
      if (busy) return
      save.mutate(model, {
        onSuccess: () => {
          setValues({ key: '', forgetsKey: false })
          then()
        },
      })
    })
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
            <AskButtons cancel={t('cancel')} onCancel={() => { askRemoval(false) }} confirm={t('model.remove')} variant="destructive" busy={save.isPending} onClick={() => { save.mutate(null, { onSuccess: onClose }) }} />
          </>
        ) : (
          <>
            {kept !== null && (
              <Button variant="ghost" className="mr-auto" disabled={busy} onClick={() => { askRemoval(true) }}>
                {t('model.remove')}
              </Button>
            )}
            <Button variant="outline" busy={attempt.isPending} disabled={busy} onClick={keep(() => { attempt.mutate() })}>
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
        onSubmit={keep(onClose)}
        // Choices and ticks send no such event, and `change` also fires when the program changes a field.
        onInput={() => { attempt.reset() }}
      >
        <div className="grid grid-cols-[12rem_minmax(0,1fr)] gap-3">
          <Field label={t('model.provider')}>{(field) => <Select {...field} value={typed.provider} onChange={(provider) => { set({ provider, baseUrl: addresses[provider] }) }} options={providers.map((value) => ({ value, label: t(`model.of.${value}`) }))} />}</Field>
          <Field label={t('model.base-url')} error={errorOf('baseUrl')}>
            {(field) => <Input {...field} {...register('baseUrl', { onChange: () => { setValues({ provider: 'other' }) } })} type="url" autoComplete="off" maxLength={500} />}
          </Field>
        </div>
        <Field label={t('model.name')} hint={t(`model.name-hint.${typed.provider}`)} error={errorOf('model')}>
          {(field) => <Input {...field} {...register('model')} list={modelsId} autoComplete="off" maxLength={200} />}
        </Field>
        <datalist id={modelsId}>
          {attempt.data?.models.map((name) => <option key={name} value={name} />)}
        </datalist>
        <Key typed={typed} kept={kept} error={errorOf('key')} input={register('key')} onForget={(forgetsKey) => { set({ forgetsKey, key: '' }) }} />
        <fieldset className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_6rem] gap-3">
          <legend className="mb-1.5 text-sm text-muted">{t('model.prices')}</legend>
          <Field label={t('model.input')} error={errorOf('input')}>
            {(field) => <Input {...field} {...register('input', { deps: ['output', 'currency'] })} inputMode="decimal" autoComplete="off" maxLength={14} />}
          </Field>
          <Field label={t('model.output')} error={errorOf('output')}>
            {(field) => <Input {...field} {...register('output', { deps: ['input', 'currency'] })} inputMode="decimal" autoComplete="off" maxLength={14} />}
          </Field>
          <Field label={t('model.currency')} error={errorOf('currency')}>
            {(field) => <Input {...field} {...register('currency')} autoComplete="off" maxLength={3} />}
          </Field>
        </fieldset>
        {save.isError && <Notice tone="error">{words(save.error)}</Notice>}
        {attempt.isError && <Notice tone="error">{words(attempt.error)}</Notice>}
        {attempt.data !== undefined && <Result ok={attempt.data.ok} failure={attempt.data.failure} models={attempt.data.models} model={typed.model.trim()} />}
      </form>
    </Dialog>
  )
}

const Key = ({ typed, kept, error, input, onForget }: { typed: TypedModel; kept: ModelSettings | null; error: string | undefined; input: UseFormRegisterReturn; onForget: (forgets: boolean) => void }) => {
  const { t } = useTranslation('ai-report')
  const boxId = useId()
  const secrets = useSession().session?.secrets ?? 'file'
  const has = kept?.hasKey === true
  const moved = has && originOf(typed.baseUrl.trim()) !== originOf(kept.baseUrl)
  const hint = moved ? t('model.key-moved') : has ? t('model.key-kept', { where: t(`model.secrets.${secrets}`) }) : typed.provider === 'ollama' ? t('model.key-none') : t('model.key-where', { where: t(`model.secrets.${secrets}`) })
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('model.key')} hint={hint} error={error}>
        {(field) => <Input {...field} {...input} type="password" autoComplete="off" maxLength={1000} disabled={typed.forgetsKey} />}
      </Field>
      {has && !moved && (
        <label htmlFor={boxId} className="flex cursor-pointer items-center gap-2 self-start text-muted">
          <Checkbox id={boxId} checked={typed.forgetsKey} onChange={onForget} />
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
