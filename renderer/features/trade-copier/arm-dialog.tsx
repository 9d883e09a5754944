import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Checkbox } from '#renderer/ui/toggles.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ArmStep } from './use-arming.ts'

const points = ['real', 'losses', 'differs', 'computer', 'rules'] as const

/** What is needed before a group can be armed: a consent, a confirmation, or the reason why it cannot be. */
export const ArmDialog = ({ step, busy, onAnswer, onClose }: { step: ArmStep; busy: boolean; onAnswer: () => void; onClose: () => void }) => {
  const { outcome } = step
  return outcome === 'consent-needed' || outcome === 'only-machine-needed' ? (
    <Confirm key={outcome} step={{ ...step, outcome }} busy={busy} onAnswer={onAnswer} onClose={onClose} />
  ) : (
    <Refused step={{ ...step, outcome }} onClose={onClose} />
  )
}

const Confirm = ({ step: { group, outcome }, busy, onAnswer, onClose }: { step: ArmStep & { outcome: 'consent-needed' | 'only-machine-needed' }; busy: boolean; onAnswer: () => void; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const [ticked, setTicked] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`confirm.${outcome}.title`)}
      description={t(`confirm.${outcome}.text`, { group: group.name })}
      footer={<AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t('arm')} disabled={!ticked} busy={busy} onClick={onAnswer} />}
    >
      <div className="flex flex-col gap-3">
        {outcome === 'consent-needed' && (
          <ul className="flex list-disc flex-col gap-1.5 pl-5 text-muted">
            {points.map((point) => (
              <li key={point}>{t(`consent.${point}`)}</li>
            ))}
          </ul>
        )}
        <label className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line bg-ground px-3 py-2.5">
          <Checkbox checked={ticked} onChange={setTicked} aria-label={t(`confirm.${outcome}.tick`)} />
          <span>{t(`confirm.${outcome}.tick`)}</span>
        </label>
      </div>
    </Dialog>
  )
}

const Refused = ({ step: { group, outcome }, onClose }: { step: ArmStep & { outcome: Exclude<ArmStep['outcome'], 'consent-needed' | 'only-machine-needed'> }; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  return (
    <Dialog
      open
      width="sm"
      onClose={onClose}
      title={t('refused.title', { group: group.name })}
      footer={
        <>
          {(outcome === 'plan-limit' || outcome === 'plan-needed') && (
            <Button asChild variant="outline">
              <Link to={paths.manageSubscription}>{t('plans:see-plans')}</Link>
            </Button>
          )}
          <Button onClick={onClose}>{t('close')}</Button>
        </>
      }
    >
      <p className="text-muted">{t(`refused.${outcome}`)}</p>
    </Dialog>
  )
}
