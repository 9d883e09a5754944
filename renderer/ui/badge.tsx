import { classNames } from '#renderer/lib/class-names.ts'
import type { ComponentProps, ReactNode } from 'react'

const tones = {
  gain: 'bg-gain-tint text-gain',
  loss: 'bg-loss-tint text-loss',
  warn: 'bg-warn-tint text-warn',
  accent: 'bg-accent-tint text-accent',
  quiet: 'border border-line text-muted',
} as const

/** A word with a meaning, in a tint. */
export const Badge = ({ tone = 'quiet', className, ...rest }: ComponentProps<'span'> & { tone?: keyof typeof tones }) => (
  <span className={classNames('inline-flex items-center gap-1 rounded-sm px-1.75 py-0.5 text-sm font-medium whitespace-nowrap [&_svg]:size-3.5', tones[tone], className)} {...rest} />
)

/** A quiet fact in the head of a page: `name` in gray, its value in the text color. */
export const Chip = ({ name, children }: { name?: string; children: ReactNode }) => (
  <span className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line bg-surface px-2.25 text-sm whitespace-nowrap text-muted">
    {name}
    <span className={name ? 'font-medium text-ink' : undefined}>{children}</span>
  </span>
)

/** A neutral two-letter mark for a firm or platform; its name is beside it. */
export const Monogram = ({ letters }: { letters: string }) => (
  <span aria-hidden className="grid size-6 shrink-0 place-items-center rounded-sm border border-line bg-raised text-xs font-semibold text-muted">
    {letters}
  </span>
)
