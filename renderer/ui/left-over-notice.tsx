import { useLeftOver } from '#renderer/lib/left-over.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

// Loaded when it is opened.
const LeftOverList = lazy(async () => ({ default: (await import('./left-over-list.tsx')).LeftOverList }))

/** A notice about left-over notes of gone fill pairs, which opens all of them; nothing if there are none. */
export const LeftOverNotice = () => {
  const { t } = useTranslation('left-over')
  const format = useFormat()
  const count = useLeftOver().length
  const [open, setOpen] = useState(false)
  if (count === 0) return null
  return (
    <>
      <Notice
        tone="warn"
        action={
          <Button variant="outline" size="sm" onClick={() => { setOpen(true) }}>
            {t('show')}
          </Button>
        }
      >
        {t('notice', { count, shown: format.count(count) })}
      </Notice>
      {open && (
        <Dialog open onClose={() => { setOpen(false) }} title={t('dialog')}>
          <Suspense fallback={null}><LeftOverList tradingDay={null} /></Suspense>
        </Dialog>
      )}
    </>
  )
}
