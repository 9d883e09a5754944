import { classNames } from '#renderer/lib/class-names.ts'
import { isSingle, shortcuts, type ShortcutId } from '#renderer/lib/shortcuts.ts'
import { capsHere, useSingleKeys } from '#renderer/lib/use-shortcut.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Label } from '#renderer/ui/field.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { places, usePlaceName } from '../places.ts'
import { useCommandStore } from './command-store.ts'

const anywhere = ['palette', 'shortcuts', 'sync', 'add-trade', 'filter', 'rows', 'flatten-all'] as const satisfies readonly ShortcutId[]

/** Keys that need the focus, or are system conventions: they cannot be pressed by mistake, and stay on. */
const inPlace = {
  lists: { move: '↑ ↓', pages: 'PgUp PgDn', ends: 'Home End', open: 'Enter', unfold: '→ ←', pick: 'Space', range: 'Shift+Space', remove: 'Del' },
  scanner: { close: 'Enter', flatten: 'F' },
  over: { escape: 'Esc', toasts: 'F8', paste: 'Mod+V' },
} as const

/** All shortcuts, and the switch for single-key ones. */
export const ShortcutsDialog = () => {
  const { t } = useTranslation('commands')
  const name = usePlaceName()
  const { on, switchTo } = useSingleKeys()
  const show = useCommandStore((store) => store.show)
  return (
    <Dialog open onClose={() => { show(null) }} width="lg" title={t('shortcuts')}>
      <div className="flex items-center gap-3 rounded-md border border-line px-3 py-2.5">
        <div className="min-w-0 grow">
          <Label htmlFor="single-keys">{t('single.label')}</Label>
          <p id="single-keys-text" className="text-sm text-faint">
            {t('single.text')}
          </p>
        </div>
        <Switch id="single-keys" checked={on} onChange={switchTo} aria-describedby="single-keys-text" />
      </div>
      <div className="mt-4 grid items-start gap-x-8 gap-y-5 sm:grid-cols-2">
        <div className="flex flex-col gap-5">
          <Part title={t('in.anywhere')}>
            {anywhere.map((id) => (
              <Line key={id} name={t(`shortcut.${id}`)} keys={shortcuts[id]} off={!on && isSingle(id)} />
            ))}
          </Part>
          <Part title={t('in.lists')}>
            {Object.entries(inPlace.lists).map(([id, keys]) => (
              <Line key={id} name={t(`list.${id}`)} keys={keys} />
            ))}
          </Part>
        </div>
        <div className="flex flex-col gap-5">
          <Part title={t('in.go')}>
            {places.map(({ id }) => (
              <Line key={id} name={name(id)} keys={shortcuts[`go-${id}`]} off={!on} />
            ))}
          </Part>
          <Part title={t('in.scanner')}>
            {Object.entries(inPlace.scanner).map(([id, keys]) => (
              <Line key={id} name={t(`scanner.${id}`)} keys={keys} />
            ))}
          </Part>
          <Part title={t('in.over')}>
            {Object.entries(inPlace.over).map(([id, keys]) => (
              <Line key={id} name={t(`over.${id}`)} keys={keys} />
            ))}
          </Part>
        </div>
      </div>
    </Dialog>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="pb-1 text-sm font-semibold">{title}</h3>
    <dl className="flex flex-col divide-y divide-hairline">{children}</dl>
  </section>
)

const Line = ({ name, keys, off = false }: { name: string; keys: string; off?: boolean }) => {
  const { t } = useTranslation('commands')
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 py-1">
      <dt className={classNames('min-w-0', off && 'text-faint')}>{name}</dt>
      <dd className="shrink-0">{off ? <span className="text-sm text-faint">{t('single.off')}</span> : <Keys caps={capsHere(keys)} />}</dd>
    </div>
  )
}
