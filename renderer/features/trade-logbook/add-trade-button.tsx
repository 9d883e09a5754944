import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** The way to a trade that is entered by hand. */
export const AddTradeButton = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const { caps, aria } = useShortcutKeys('add-trade')
  return (
    <Tooltip text={caps.length === 0 ? null : <Keys caps={caps} />} side="bottom">
      <Button variant="outline" onClick={onClick} aria-keyshortcuts={aria}>
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </Tooltip>
  )
}
