import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Textarea } from '#renderer/ui/field.tsx'
import { ClipboardPaste } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStops, type TypedStop } from './stop-rows.ts'

const enough = 500

/** Takes several default stops at once, typed or pasted; they are in the table until saved. */
export const PasteStops = ({ onRead }: { onRead: (stops: readonly TypedStop[]) => void }) => {
  const { t } = useTranslation('settings')
  const formId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const { stops, unread } = readStops(typed ?? '')
  const problem = stops.length > enough ? t('problem.too-many-stops') : unread.length > 0 ? t('unread', { words: unread.slice(0, 6).join(' '), count: unread.length }) : null
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => { setTyped('') }}>
        <ClipboardPaste aria-hidden />
        {t('several')}
      </Button>
      {typed !== null && (
        <Dialog
          open
          onClose={() => { setTyped(null) }}
          title={t('several-title')}
          description={t('several-text')}
          footer={
            <>
              <span role="status" className="mr-auto text-sm text-muted">
                {t('several-read', { count: stops.length })}
              </span>
              <AskButtons cancel={t('cancel')} onCancel={() => { setTyped(null) }} confirm={t('several-take')} type="submit" form={formId} disabled={stops.length === 0 || problem !== null} />
            </>
          }
        >
          <form
            id={formId}
            onSubmit={(event) => {
              event.preventDefault()
              onRead(stops)
              setTyped(null)
            }}
          >
            <Field label={t('several-label')} hint={t('several-hint')} error={problem}>
              {(attributes) => <Textarea {...attributes} rows={8} autoFocus className="font-mono" value={typed} onChange={({ target }) => { setTyped(target.value) }} />}
            </Field>
          </form>
        </Dialog>
      )}
    </>
  )
}
