import { classNames } from '#renderer/lib/class-names.ts'
import { Tabs as Radix } from 'radix-ui'
import { useEffect, useRef, type ReactNode } from 'react'

/** Panels of which one shows at a time. */
export const Tabs = <V extends string>({
  label,
  value,
  onChange,
  tabs,
  className,
  panelClassName,
}: {
  label: string
  value: V
  onChange: (value: V) => void
  tabs: readonly { readonly value: V; readonly label: string; readonly panel: ReactNode }[]
  className?: string
  panelClassName?: string
}) => {
  const asked = useRef(value)
  useEffect(() => { asked.current = value }, [value])
  const ask = (next: V): void => {
    if (next === asked.current) return
    asked.current = next
    onChange(next)
  }
  // Until the panel of another tab has loaded, this one shows, and Radix ignores the tab that is selected.
  const leadBack = (tab: V) => (tab === value ? () => { ask(tab) } : undefined)
  return (
    <Radix.Root value={value} onValueChange={(next) => { ask(next as V) }} className={className}>
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-4 border-b border-hairline">
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} onMouseDown={leadBack(tab.value)} onFocus={leadBack(tab.value)} className="-mb-px border-b-2 border-transparent py-2 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink">
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={classNames('rounded-md pt-4 data-[state=inactive]:hidden', panelClassName)}>
          {tab.panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
