import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

const tones = { gain: 'text-gain', loss: 'text-loss', even: 'text-ink' } as const

/** A surface of stats side by side, separated by hairlines; in a narrow window the large one takes half of a row. */
export const StatStrip = ({ className, children }: { className?: string; children: ReactNode }) => (
  <dl className={classNames('flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-hairline', className)}>{children}</dl>
)

/** A figure with its name and a quiet note on what it counts; `large` is for the one main figure of the screen, `quiet` for minor ones. `value` null keeps the space while loading. */
export const Stat = ({
  label,
  value,
  note,
  tone = 'even',
  large = false,
  quiet = false,
  className,
}: {
  label: string
  value: ReactNode
  note?: ReactNode
  tone?: keyof typeof tones
  large?: boolean
  quiet?: boolean
  className?: string
}) => (
  <div className={classNames('grow bg-surface px-4', !quiet && 'py-3', large ? 'basis-52 max-xl:basis-96' : quiet ? 'basis-33 py-2.5 max-xl:basis-44' : 'basis-34', className)}>
    <dt className="mb-0.5 text-sm text-muted md:whitespace-nowrap">{label}</dt>
    <dd className={classNames('flex min-h-[1lh] items-baseline gap-1.5 font-semibold tracking-[-0.015em] whitespace-nowrap', large ? 'text-headline' : quiet ? 'text-title' : 'text-figure', tones[tone])}>
      {value ?? <Skeleton className={classNames('h-[0.8em] self-center', large ? 'w-36' : 'w-20')} />}
      {value !== null && note && <span className="text-sm font-normal tracking-normal text-faint">{note}</span>}
    </dd>
  </div>
)
