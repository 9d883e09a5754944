import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { Button } from '#renderer/ui/button.tsx'
import { OctagonX, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** What can be done with the copier as a whole: another group, and everything closed at once. */
export const PageActions = ({ onNew, onFlatten }: { onNew: () => void; onFlatten: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const { caps, aria } = useShortcutKeys('flatten-all')
  return (
    <>
      <Button variant="outline" onClick={onNew}>
        <Plus aria-hidden />
        {t('new-group')}
      </Button>
      <Button variant="destructive" onClick={onFlatten} aria-keyshortcuts={aria}>
        <OctagonX aria-hidden />
        {t('flatten.all')}
        {caps.length > 0 && <kbd aria-hidden className="rounded-sm border border-current px-1 font-sans text-xs">{caps.join(' ')}</kbd>}
      </Button>
    </>
  )
}
