import { leaveFiles, setDragging, useDroppedFiles } from '#renderer/lib/dropped-files.ts'
import { paths } from '#renderer/lib/paths.ts'
import { FileDown } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatch, useNavigate } from 'react-router-dom'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** An open dialog handles its own drops; everything else ignores them. */
const dialogIsOpen = (): boolean => document.querySelector('[role=dialog]') !== null

/** Takes files dropped anywhere in the dashboard to the import page, and shows a hint while they are dragged over. */
export const DropAnywhere = () => {
  const { t } = useTranslation('app')
  const dragging = useDroppedFiles((state) => state.dragging)
  const onImport = useMatch({ path: paths.import, end: true }) !== null
  const navigate = useNavigate()

  const dragOver = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return
    // Otherwise the browser would open the file instead of this page.
    event.preventDefault()
    if (!dialogIsOpen()) setDragging(true)
  })
  const dragLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setDragging(false)
  })
  const drop = useEffectEvent((event: DragEvent) => {
    setDragging(false)
    if (event.defaultPrevented || !hasFiles(event)) return
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0 || dialogIsOpen()) return
    leaveFiles(files)
    if (!onImport) void navigate(paths.import)
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    // On the window, after any part of the page that handles its own drops.
    window.addEventListener('dragover', dragOver, { signal })
    window.addEventListener('dragleave', dragLeave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => {
      listening.abort()
      setDragging(false)
    }
  }, [])

  if (!dragging || onImport) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-ground/85">
      <p className="flex items-center gap-2.5 rounded-lg border border-line bg-surface px-5 py-4 text-title font-semibold">
        <FileDown aria-hidden className="size-5 text-accent" />
        {t('drop-to-import')}
      </p>
    </div>
  )
}
