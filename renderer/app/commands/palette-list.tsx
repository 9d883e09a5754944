import { classNames } from '#renderer/lib/class-names.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import type { ShortcutId } from '#renderer/lib/shortcuts.ts'
import { Keys } from '#renderer/ui/keys.tsx'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Command, CommandGroup } from './command.ts'

/** The palette's rows by group; the field above keeps the focus, and `activeKey` names the row that Enter runs. */
export const PaletteList = ({ id, groups, activeKey, onChoose, onRun }: { id: string; groups: readonly CommandGroup[]; activeKey: string | null; onChoose: (key: string) => void; onRun: (command: Command) => void }) => {
  const { t } = useTranslation('commands')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const line = list.current?.querySelector('[aria-selected=true]')
    const isFirst = line !== null && line === list.current?.querySelector('[role=option]')
    // Scrolls back to the first group's heading together with its first row.
    if (isFirst) list.current?.scrollTo({ top: 0 })
    else line?.scrollIntoView({ block: 'nearest' })
  }, [activeKey])
  const before = groups.map((_, at) => groups.slice(0, at).reduce((sum, { commands }) => sum + commands.length, 0))
  return (
    <div ref={list} role="listbox" id={`${id}-list`} aria-label={t('title')} className={classNames('min-h-0 scroll-py-2 overflow-y-auto', groups.length > 0 && 'grow px-2 py-2')}>
      {groups.map((group, at) => (
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`} className="mb-1.5 last:mb-0">
          <p id={`${id}-${group.id}`} role="presentation" className="px-2 pt-1 pb-1 text-xs text-faint">
            {t(`group.${group.id}`)}
          </p>
          {group.commands.map((command, line) => {
            const key = `${group.id} ${command.id}`
            return (
              <div
                key={key}
                id={`${id}-${String((before[at] ?? 0) + line)}`}
                role="option"
                aria-selected={key === activeKey}
                onPointerMove={() => { if (key !== activeKey) onChoose(key) }}
                // The focus stays in the field.
                onMouseDown={(event) => { event.preventDefault() }}
                onClick={() => { onRun(command) }}
                className="flex min-h-8.5 cursor-pointer items-center gap-2.5 rounded-md px-2 aria-selected:bg-raised aria-selected:shadow-[inset_2px_0_0_var(--accent)]"
              >
                <command.Icon aria-hidden className={classNames('size-4 shrink-0', key === activeKey ? 'text-ink' : 'text-faint')} />
                <span className="max-w-[65%] shrink-0 truncate">{command.label}</span>
                <span className="ml-auto flex min-w-0 items-center gap-3 text-sm text-muted tabular-nums">{typeof command.note === 'string' ? <span className="truncate">{command.note}</span> : command.note}</span>
                {command.shortcut !== undefined && <ShortcutKeys id={command.shortcut} />}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const ShortcutKeys = ({ id }: { id: ShortcutId }) => {
  const { caps } = useShortcutKeys(id)
  return (
    <span aria-hidden className="contents">
      <Keys caps={caps} />
    </span>
  )
}
