import { classNames } from '#renderer/lib/class-names.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { Keys } from '#renderer/ui/keys.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import type { ReactNode } from 'react'
import { NavLink, useMatch } from 'react-router-dom'
import { usePlaceName, type Place } from './places.ts'

/** A link to a page, with `note` at its end; its shortcut shows on hover or focus. Minimized it is an icon with a tooltip. */
export const SidebarLink = ({ place: { id, path, Icon }, search = '', note, minimised }: { place: Place; search?: string; note?: ReactNode; minimised: boolean }) => {
  const label = usePlaceName()(id)
  const { caps } = useShortcutKeys(`go-${id}`)
  // The tooltip does not support a function as class name.
  const active = useMatch({ path, end: true }) !== null
  const link = (
    <NavLink
      to={`${path}${search}`}
      end
      title={minimised ? undefined : label}
      className={classNames(
        'group relative flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 transition-colors duration-100 hover:text-ink',
        active ? 'bg-raised text-ink before:absolute before:inset-y-1.75 before:-left-2.5 before:w-0.5 before:rounded-full before:bg-accent' : 'text-muted',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={minimised ? 'sr-only' : 'truncate'}>{label}</span>
      {!minimised && (
        <span className="ml-auto flex shrink-0 text-xs text-faint">
          {note !== undefined && <span className={classNames(caps.length > 0 && 'group-hover:hidden group-focus-visible:hidden')}>{note}</span>}
          <span aria-hidden className="hidden group-hover:flex group-focus-visible:flex">
            <Keys caps={caps} />
          </span>
        </span>
      )}
    </NavLink>
  )
  return minimised ? (
    <Tooltip text={<Named label={label} caps={caps} />} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

/** The tooltip of something with a shortcut. */
export const Named = ({ label, caps }: { label: string; caps: readonly string[] }) => (
  <span className="flex items-center gap-2">
    {label}
    <Keys caps={caps} />
  </span>
)
