import { classNames } from '#renderer/lib/class-names.ts'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { Popover } from './popover.tsx'

/** A button of a filter line that opens a panel. */
export const PanelButton = ({ className, children, ...rest }: ComponentProps<typeof Button>) => (
  <Button variant="outline" className={classNames('gap-1.5 px-2.5', className)} {...rest}>
    {children}
    <ChevronDown aria-hidden className="text-faint" />
  </Button>
)

/** A panel of a filter behind a button that shows how many values are chosen. */
export const FilterPanel = ({ name, chosen, children }: { name: string; chosen: number; children: ReactNode }) => (
  <Popover
    label={name}
    trigger={
      <PanelButton>
        {name}
        {chosen > 0 && <span className="rounded-sm bg-accent-tint px-1.25 text-sm text-accent">{chosen}</span>}
      </PanelButton>
    }
  >
    {children}
  </Popover>
)
