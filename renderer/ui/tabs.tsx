import { classNames } from '#renderer/lib/class-names.ts'
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

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
}) => (
  <Radix.Root value={value} onValueChange={(next) => { onChange(next as V) }} className={className}>
    <Radix.List aria-label={label} className="flex flex-wrap gap-x-4 border-b border-hairline">
      {tabs.map((tab) => (
        <Radix.Trigger key={tab.value} value={tab.value} className="-mb-px border-b-2 border-transparent py-2 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink">
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
