import { classNames } from '#renderer/lib/class-names.ts'
import { useDroppedFiles } from '#renderer/lib/dropped-files.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FileDown } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Where files are dropped or chosen; a single line once there are some. Files dropped anywhere in the window arrive here. */
export const DropZone = ({ small, disabled, onFiles }: { small: boolean; disabled: boolean; onFiles: (files: readonly File[]) => void }) => {
  const { t } = useTranslation('import')
  const dragging = useDroppedFiles((state) => state.dragging)
  const input = useRef<HTMLInputElement>(null)
  return (
    <section
      aria-label={t('drop-title')}
      className={classNames(
        'flex shrink-0 items-center justify-center gap-x-4 gap-y-1.5 rounded-lg border border-dashed transition-colors duration-100',
        small ? 'px-4 py-2.5' : 'flex-col px-6 py-10 text-center',
        dragging ? 'border-accent bg-accent-tint' : 'border-field bg-surface',
      )}
    >
      <FileDown aria-hidden className={classNames('shrink-0', small ? 'size-4' : 'mb-1 size-6', dragging ? 'text-accent' : 'text-faint')} />
      <p className={small ? 'mr-auto text-muted' : 'font-semibold'}>{t(dragging ? 'drop-now' : small ? 'drop-more' : 'drop-title')}</p>
      {!small && <p className="max-w-xl text-balance text-muted">{t('drop-text')}</p>}
      <Button variant={small ? 'outline' : 'default'} size={small ? 'sm' : 'default'} disabled={disabled} className={small ? '' : 'mt-3'} onClick={() => { input.current?.click() }}>
        {t('choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose')}
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
    </section>
  )
}
