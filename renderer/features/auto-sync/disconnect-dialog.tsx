import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const doneAfterMs = 1_500

/** Tells that an account is being disconnected, and a moment later that it was; only then it can be closed. */
export const DisconnectDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const [done, setDone] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => { setDone(true) }, doneAfterMs)
    return () => { clearTimeout(timer) }
  }, [])
  useEffect(() => {
    if (done) button.current?.focus()
  }, [done])
  return (
    <Dialog
      open
      width="sm"
      title={done ? t('disconnect.done-title') : t('disconnect.title')}
      footer={
        <Button ref={button} disabled={!done} onClick={onClose}>
          {t('disconnect.continue')}
        </Button>
      }
    >
      <div role="status" className="flex min-h-17 items-start gap-3">
        {done ? <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" /> : <Spinner className="mt-0.5" />}
        {done ? (
          <div className="min-w-0">
            <p className="break-words">{t('disconnect.done', { name })}</p>
            <p className="mt-1 text-sm text-faint">{t('disconnect.kept')}</p>
          </div>
        ) : (
          <div className="min-w-0">
            <p className="font-medium break-words">{name}</p>
            <p className="mt-1 text-muted">{t('disconnect.text')}</p>
          </div>
        )}
      </div>
    </Dialog>
  )
}
