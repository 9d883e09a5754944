import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Check, CloudOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { blockedBy } from './trade-editing.ts'
import type { TradeForm } from './trade-saving.ts'

/** Whether a trade is saved; if not, why, and what to do. */
export const SaveState = ({ form: { editing, phase, failure, saved, settle }, busy }: { form: TradeForm; busy: boolean }) => {
  const { t } = useTranslation('trade-logbook')
  const words = useProblemText()
  const blocked = blockedBy(editing)
  const saving = busy || phase === 'saving' || (phase === 'waiting' && blocked === null && failure === null)
  const reason = blocked !== null ? t(`save-state.blocked.${blocked}`) : failure !== null ? `${words(failure)} ${t('save-state.kept')}` : null
  const unsaved = saving ? null : reason
  return (
    <span className="mr-auto flex min-w-0 grow basis-40 items-center gap-2 text-sm">
      <span role="status" className={classNames('flex min-w-0 items-start gap-1.5 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0', unsaved === null ? 'text-muted' : 'text-warn')}>
        {unsaved !== null && <CloudOff aria-hidden />}
        {unsaved === null && saved && !saving && <Check aria-hidden />}
        <span>{saving ? t('save-state.saving') : unsaved !== null ? t('save-state.unsaved', { why: unsaved }) : saved ? t('save-state.saved') : t('save-state.self')}</span>
      </span>
      {!saving && failure !== null && blocked === null && (
        <Button variant="outline" size="sm" onClick={settle}>
          {t('save-state.retry')}
        </Button>
      )}
    </span>
  )
}
