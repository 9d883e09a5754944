import { classNames } from '#renderer/lib/class-names.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { Keys } from '#renderer/ui/keys.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCommandStore } from './commands/command-store.ts'
import { Named } from './sidebar-link.tsx'

/** Opens the palette, and shows its shortcut. */
export const SearchButton = ({ minimised }: { minimised: boolean }) => {
  const { t } = useTranslation('app')
  const { caps, aria } = useShortcutKeys('palette')
  const show = useCommandStore((store) => store.show)
  const button = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={aria}
      onClick={() => { show('palette') }}
      className={classNames('relative mb-2 flex h-8 shrink-0 items-center gap-2.5 rounded-md border border-line bg-ground px-1.75 text-muted transition-colors duration-100 hover:border-field hover:text-ink', minimised && 'justify-center')}
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">{t('sidebar.search-name')}</span>
      {!minimised && (
        <>
          <span aria-hidden className="truncate">
            {t('sidebar.search')}
          </span>
          <span aria-hidden className="ml-auto">
            <Keys caps={caps} />
          </span>
        </>
      )}
    </button>
  )
  return minimised ? (
    <Tooltip text={<Named label={t('sidebar.search')} caps={caps} />} side="right">
      {button}
    </Tooltip>
  ) : (
    button
  )
}
