import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountTypes, balanceIsKnown, unlabeled, type AccountRow, type AccountType } from './account-rows.ts'
import { LabelFields } from './label-fields.tsx'
import type { Firm } from './label-rows.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { useSaveLabels } from './use-save-labels.ts'

/** Asks for type and firm of every connected account that has none yet, of several in one table. The table can be put off: a notice then leads back to it. */
export const LabelDialog = ({ rows }: { rows: readonly AccountRow[] }) => {
  const waiting = rows.filter(({ finance }) => unlabeled(finance))
  const [putOff, setPutOff] = useState<ReadonlySet<string>>(new Set())
  const shown = useDialogTurn(waiting.some(({ finance }) => !putOff.has(finance.id)))
  const [asked, setAsked] = useState<'all' | AccountRow['finance']['id'] | null>(null)
  const one = waiting.find(({ finance }) => finance.id === asked)
  // What is asked stays until it is answered, whatever else was saved or came meanwhile.
  const next = asked === 'all' && waiting.length > 0 ? 'all' : (one ?? (waiting.length > 1 ? 'all' : waiting[0]))
  const nextAsked = !shown || next === undefined ? null : next === 'all' ? 'all' : next.finance.id
  if (nextAsked !== asked) setAsked(nextAsked)
  if (waiting.length > 0 && waiting.every(({ finance }) => putOff.has(finance.id))) return <PutOff count={waiting.length} onOpen={() => { setPutOff(new Set()) }} />
  if (!shown || next === undefined) return null
  return next === 'all' ? <LabelsDialog waiting={waiting} labeled={rows} onLater={() => { setPutOff(new Set(waiting.map(({ finance }) => finance.id))) }} /> : <AskLabel key={next.finance.id} row={next} more={waiting.length - 1} />
}

const PutOff = ({ count, onOpen }: { count: number; onOpen: () => void }) => {
  const { t } = useTranslation('auto-sync')
  return (
    <Notice
      tone="warn"
      action={
        <Button variant="outline" size="sm" onClick={onOpen}>
          {t('labels.title')}
        </Button>
      }
    >
      {t('labels.open', { count })}
    </Notice>
  )
}

const AskLabel = ({ row, more }: { row: AccountRow; more: number }) => {
  const { finance } = row
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const save = useSaveLabels()
  const [type, setType] = useState<AccountType>()
  const [firm, setFirm] = useState<Firm>()
  const submit = (): void => {
    if (type !== undefined && firm !== undefined) save.mutate([{ ...finance, type, firm }])
  }
  return (
    <Dialog
      open
      width="sm"
      title={t('label.title', { platform: finance.platform })}
      footer={
        <>
          {more > 0 && <span className="mr-auto text-sm text-faint">{t('label.more', { count: more })}</span>}
          <Button onClick={submit} busy={save.isPending} disabled={type === undefined || firm === undefined}>
            {t('label.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3.5">
        <dl className="flex justify-between gap-4 rounded-md border border-line bg-ground px-3 py-2">
          <div className="min-w-0">
            <dt className="text-sm text-faint">{t('account')}</dt>
            <dd className="font-medium break-words proportional-nums">{finance.name}</dd>
          </div>
          <div className="text-right">
            <dt className="text-sm text-faint">{t('balance')}</dt>
            <dd className="font-medium">{balanceIsKnown(row) ? format.wholeMoney(finance.balance, finance.currency) : t('no-balance')}</dd>
          </div>
        </dl>
        <LabelFields kinds={accountTypes} kind={type} onKind={setType} firm={firm} onFirm={setFirm} disabled={save.isPending} failure={save.data?.failures.get(finance.id)} />
      </div>
    </Dialog>
  )
}
